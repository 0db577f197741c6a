/// An error that a lookup of a service or of contributions throws.
///
/// ```swift
/// do {
///   cart = try services.createService(for: CartService.self)
/// } catch where error.code == "no-service" {
///   cart = EmptyCart()
/// }
/// ```
///
/// `Documentation/Services.md` lists the codes.
public struct ServiceError: Error, Sendable, CustomStringConvertible {
  private let values: Values

  /// The values of an error. An object, because each function in a nested lookup reserves stack
  /// space for an error.
  private final class Values: Sendable {
    let code: Diagnostic.Code
    let service: String
    let available: [String]
    let diagnostics: [Diagnostic]
    let underlying: (any Error)?
    let actor: (any Actor)?
    let text: @Sendable () -> String

    init(
      _ code: Diagnostic.Code, _ service: String, _ available: [String], _ diagnostics: [Diagnostic],
      _ underlying: (any Error)?, _ actor: (any Actor)?, _ text: @escaping @Sendable () -> String
    ) {
      (self.code, self.service, self.available) = (code, service, available)
      (self.diagnostics, self.underlying, self.actor, self.text) = (diagnostics, underlying, actor, text)
    }
  }

  /// - Parameter text: A closure that describes the problem, because few errors are printed.
  init(
    _ code: Diagnostic.Code, _ service: String, available: [String] = [], diagnostics: [Diagnostic] = [],
    underlying: (any Error)? = nil, actor: (any Actor)? = nil, text: @escaping @Sendable () -> String
  ) {
    values = Values(code, service, available, diagnostics, underlying, actor, text)
  }

  /// The code of the problem, such as `no-service`.
  ///
  /// `Documentation/Diagnostics.md` explains the codes.
  public var code: Diagnostic.Code { values.code }

  /// The name of the service or contribution point. In a cycle or chain, it's the first service.
  public var service: String { values.service }

  /// The names of the existing implementations if none has the requested name; otherwise empty.
  public var available: [String] { values.available }

  /// The error that the implementation's initializer or factory threw, or nil.
  public var underlying: (any Error)? { values.underlying }

  /// The actor that must create the service, if the calling code isn't on it; otherwise nil.
  var actor: (any Actor)? { values.actor }

  /// The problems of the implementations if none can be used; otherwise empty.
  public var diagnostics: [Diagnostic] { values.diagnostics }

  /// A description of the problem and its fix, followed by the code.
  public var description: String { "\(values.text()) [\(code)]" }

  static func spell(_ service: String, _ named: String?) -> String {
    service.quotedForDisplay() + (named.map { " named \($0.quotedForDisplay())" } ?? "")
  }
}

extension Diagnostic.Code {
  package static var noService: Self { "no-service" }
  package static var unusableService: Self { "unusable-service" }
  package static var wrongIsolation: Self { "wrong-isolation" }
  package static var unsendableService: Self { "unsendable-service" }
  package static var serviceCycle: Self { "service-cycle" }
  package static var deepNesting: Self { "deep-nesting" }
  package static var initializerFailed: Self { "initializer-failed" }
  package static var liveService: Self { "live-service" }
}
