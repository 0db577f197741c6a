/// A type-erased handler of an action.
protocol ActionHandling: AnyObject, Sendable {
  var target: String { get }
  var action: String { get }
  var access: RouteAccess { get }
  var parametersType: any Sendable.Type { get }
  var outcomeType: any Sendable.Type { get }

  /// Decodes the parameters and returns a closure that performs the action with them.
  ///
  /// - Throws: The error of the decoding.
  func prepare(_ arguments: RouteArguments) throws -> PreparedAction
}

/// An action with its decoded parameters.
typealias PreparedAction = nonisolated(nonsending) @Sendable () async throws -> any Sendable

/// A handler of an action.
final class ActionHandler<Parameters: Sendable, Outcome: Sendable>: ActionHandling {
  let target: String
  let action: String
  let access: RouteAccess
  private let decode: @Sendable (RouteArguments) throws -> Parameters
  private let body: @MainActor (Parameters) async throws -> Outcome

  init(
    _ target: StaticString, _ action: StaticString, _ access: RouteAccess,
    decode: @escaping @Sendable (RouteArguments) throws -> Parameters,
    _ body: @escaping @MainActor (Parameters) async throws -> Outcome
  ) {
    self.target = "\(target)"
    self.action = "\(action)"
    self.access = access
    self.decode = decode
    self.body = body
  }

  var parametersType: any Sendable.Type { Parameters.self }
  var outcomeType: any Sendable.Type { Outcome.self }

  func prepare(_ arguments: RouteArguments) throws -> PreparedAction {
    let parameters = try decode(arguments)
    return { [body] in try await body(parameters) }
  }
}

extension ActionHandler where Parameters: Decodable {
  convenience init(
    _ target: StaticString, _ action: StaticString, _ access: RouteAccess,
    _ body: @escaping @MainActor (Parameters) async throws -> Outcome
  ) {
    self.init(target, action, access, decode: { try $0.decode(Parameters.self) }, body)
  }
}

extension ActionHandler where Parameters == Void {
  convenience init(
    _ target: StaticString, _ action: StaticString, _ access: RouteAccess,
    _ body: @escaping @MainActor () async throws -> Outcome
  ) {
    self.init(target, action, access, decode: { _ in () }, { _ in try await body() })
  }
}

/// The names of an action and of the module that contains it.
struct ActionName: Sendable, Hashable {
  let target: String
  let action: String
  let module: String
}
