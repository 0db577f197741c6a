/// A condition without which an exported implementation does not exist.
///
/// ```swift
/// @ExportService(PaymentService.self, replaces: "Checkout.CardPayment", when: .flag("test-pay"))
/// struct TestPayment: PaymentService { init() {} }
/// ```
///
/// A manager evaluates the conditions of a service when the service is first used. Lookups ignore
/// an implementation whose condition does not hold, and reports state the condition.
/// ``ServiceManager/conditions`` are those that hold.
@nonexhaustive public enum ServiceCondition: Sendable, Hashable {
  /// The exporting module was compiled with the condition `DEBUG`, as in debug builds.
  case debug
  /// The exporting module was compiled without the condition `DEBUG`.
  case release
  /// The process runs for a preview of Xcode.
  case preview
  /// The process runs tests.
  case test
  /// The app has set a flag with this name.
  case flag(String)
}

extension ServiceCondition {
  @available(*, unavailable, message: "an implementation has one condition [not-a-literal]")
  public static func && (a: ServiceCondition, b: ServiceCondition) -> ServiceCondition { a }

  @available(*, unavailable, message: "an implementation has one condition [not-a-literal]")
  public static func || (a: ServiceCondition, b: ServiceCondition) -> ServiceCondition { a }
}
