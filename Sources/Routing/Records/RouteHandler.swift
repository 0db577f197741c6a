/// A type-erased handler of a route.
protocol RouteHandling: AnyObject, Sendable {
  var id: String { get }
  var patterns: [RoutePattern] { get }
  var access: RouteAccess { get }
  var parametersType: any Sendable.Type { get }
  var outcomeType: any Sendable.Type { get }

  /// Decodes the parameters.
  ///
  /// - Returns: The parameters in a ``Boxed``.
  func parameters(_ arguments: RouteArguments) throws -> any Sendable

  /// Opens the route with the parameters of the request, which must have this handler's type.
  ///
  /// - Returns: The outcome in a ``Boxed``.
  nonisolated(nonsending) func open(_ request: RouteRequest) async throws -> any Sendable
}

/// A handler of a route.
final class RouteHandler<Parameters: Sendable, Outcome: Sendable>: RouteHandling {
  let id: String
  let patterns: [RoutePattern]
  let access: RouteAccess
  private let decode: (@Sendable (RouteArguments) throws -> Parameters)?
  private let body: nonisolated(nonsending) @Sendable (Parameters, RouteRequest) async throws -> Outcome

  init(
    _ route: Route<Parameters, Outcome>,
    _ body: nonisolated(nonsending) @escaping @Sendable (Parameters, RouteRequest) async throws -> Outcome
  ) {
    id = "\(route.id)"
    patterns = route.patterns
    access = route.access
    decode = route.decode
    self.body = body
  }

  var parametersType: any Sendable.Type { Parameters.self }
  var outcomeType: any Sendable.Type { Outcome.self }

  /// Decodes the parameters.
  ///
  /// A route without `decode` has no patterns, so no URL matches it and the error is not thrown.
  func parameters(_ arguments: RouteArguments) throws -> any Sendable {
    guard let decode else { throw RouteError.notFound(target: id, nearest: nil) }
    return Boxed(value: try decode(arguments))
  }

  nonisolated(nonsending) func open(_ request: RouteRequest) async throws -> any Sendable {
    guard let parameters = request.parameters as? Boxed<Parameters> else {
      throw RouteError.wrongType(route: id, expected: "\(type(of: request.parameters))", found: "\(Parameters.self)")
    }
    return Boxed(value: try await body(parameters.value, request))
  }
}
