/// A condition for an exported implementation or contribution.
///
/// ```swift
/// @ExportService(PaymentService.self, replaces: "Checkout.CardPayment", when: .flag("test-pay"))
/// struct TestPayment: PaymentService { init() {} }
/// ```
///
/// A manager evaluates a service's conditions when the service is first used. ``debug`` and
/// ``release`` depend on the build of the exporting module, and all others on
/// ``ServiceManager/conditions``. Lookups ignore an implementation or contribution whose condition
/// doesn't hold, and reports include the condition.
@nonexhaustive public enum ServiceCondition: Sendable, Hashable {
  /// The exporting module was compiled with `DEBUG`, as in debug builds.
  case debug
  /// The exporting module was compiled without `DEBUG`.
  case release
  /// The process runs an Xcode preview.
  case preview
  /// The process runs tests.
  case test
  /// The app or the environment variable `REGISTRY_FLAGS` sets a flag with this name.
  case flag(String)
}

extension ServiceCondition {
  /// Selected for a combination of conditions.
  @available(
    *, unavailable,
    message: "an implementation has one condition; set a flag if both hold, and write 'when: .flag(\"name\")'"
  )
  public static func && (_: ServiceCondition, _: ServiceCondition) -> ServiceCondition { .debug }

  /// Selected for alternative conditions.
  @available(
    *, unavailable,
    message: "an implementation has one condition; set a flag if either holds, and write 'when: .flag(\"name\")'"
  )
  public static func || (_: ServiceCondition, _: ServiceCondition) -> ServiceCondition { .debug }
}

extension ServiceCondition: CustomStringConvertible {
  /// The condition as records spell it, such as `preview` or `flag(new-cart)`.
  public var description: String {
    switch self {
    case .debug: "debug"
    case .release: "release"
    case .preview: "preview"
    case .test: "test"
    case .flag(let name): "flag(\(name))"
    }
  }

  /// Creates a condition from its spelling in a record; nil for an unknown spelling.
  package init?(recordText text: String) {
    let known = [Self.debug, .release, .preview, .test]
    guard let condition = known.first(where: { "\($0)" == text }) ?? text.argument(of: "flag").map(Self.flag) else {
      return nil
    }
    self = condition
  }
}
