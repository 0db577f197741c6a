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

  /// Opens the route without waiting.
  ///
  /// - Returns: The outcome in a ``Boxed``, or nil if the handler can wait.
  @MainActor func openNow(_ request: RouteRequest) throws -> (any Sendable)?
}

/// A handler of a route.
final class RouteHandler<Parameters: Sendable, Outcome: Sendable>: RouteHandling {
  let id: String
  let patterns: [RoutePattern]
  let access: RouteAccess
  private let decode: (@Sendable (RouteArguments) throws -> Parameters)?
  private let body: nonisolated(nonsending) @Sendable (Parameters, RouteRequest) async throws -> Outcome
  /// The closure of a handler that never waits, or nil.
  private let immediate: (@MainActor (Parameters, RouteRequest) throws -> Outcome)?

  init(
    _ route: Route<Parameters, Outcome>,
    _ body: nonisolated(nonsending) @escaping @Sendable (Parameters, RouteRequest) async throws -> Outcome
  ) {
    id = route.id
    patterns = route.patterns
    access = route.access
    decode = route.decode
    self.body = body
    immediate = nil
  }

  /// Creates a handler that never waits, so that synchronous code can call it.
  init(
    _ route: Route<Parameters, Outcome>, immediate: @escaping @MainActor (Parameters, RouteRequest) throws -> Outcome
  ) {
    id = route.id
    patterns = route.patterns
    access = route.access
    decode = route.decode
    self.immediate = immediate
    body = { @MainActor parameters, request in
      // The request can be canceled while it waits for the main actor.
      try Task.checkCancellation()
      return try immediate(parameters, request)
    }
  }

  /// Creates a handler that runs on the main actor and can wait.
  convenience init(
    _ route: Route<Parameters, Outcome>,
    onMainActor handler: @escaping @MainActor (Parameters, RouteRequest) async throws -> Outcome
  ) {
    self.init(route) { @MainActor parameters, request in
      // The request can be canceled while it waits for the main actor.
      try Task.checkCancellation()
      return try await handler(parameters, request)
    }
  }

  /// Creates a handler that runs on an actor; nil for a closure that is isolated to none.
  convenience init(
    _ route: Route<Parameters, Outcome>, on actor: (any Actor)?,
    _ body: nonisolated(nonsending) @escaping @Sendable (Parameters, RouteRequest) async throws -> Outcome
  ) {
    guard let actor else {
      self.init(route, body)
      return
    }
    self.init(route) { parameters, request in
      try await onActor(actor) { try await body(parameters, request) }
    }
  }

  var parametersType: any Sendable.Type { Parameters.self }
  var outcomeType: any Sendable.Type { Outcome.self }

  /// Decodes the parameters.
  ///
  /// A route without `decode` has no patterns, so no URL matches it and the error is not thrown.
  func parameters(_ arguments: RouteArguments) throws -> any Sendable {
    guard let decode else { throw RouteError.notFound(target: id, nearest: nil, reason: nil) }
    return Boxed(value: try decode(arguments))
  }

  nonisolated(nonsending) func open(_ request: RouteRequest) async throws -> any Sendable {
    Boxed(value: try await body(try parameters(of: request), request))
  }

  @MainActor func openNow(_ request: RouteRequest) throws -> (any Sendable)? {
    guard let immediate else { return nil }
    return Boxed(value: try immediate(try parameters(of: request), request))
  }

  private func parameters(of request: RouteRequest) throws -> Parameters {
    guard let parameters = request.parameters as? Boxed<Parameters> else {
      throw RouteError.wrongType(route: id, expected: "\(type(of: request.parameters))", found: "\(Parameters.self)")
    }
    return parameters.value
  }
}

/// Runs a closure on an actor, unless the task is canceled while it waits for the actor.
private func onActor<Outcome: Sendable>(
  _ actor: isolated any Actor, _ body: nonisolated(nonsending) @Sendable () async throws -> Outcome
) async throws -> Outcome {
  try Task.checkCancellation()
  return try await body()
}
