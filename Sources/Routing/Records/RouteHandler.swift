internal import Registry

/// The name of a route or an action.
struct HandlerName: Sendable, Hashable {
  /// The identifier of the route, or the name of the action's target.
  let id: String
  /// The name of the action, or nil for a route.
  var action: String?

  /// The name in messages. An example is `orders.show`.
  var text: String { action.map { "\(id).\($0)" } ?? id }
}

/// A handler of a route or an action, without their static types.
final class RouteHandler: Sendable {
  let name: HandlerName
  let provenance: Provenance
  let patterns: [RoutePattern]
  let access: RouteOrigin
  let parametersType: any Sendable.Type
  let outcomeType: any Sendable.Type

  /// Decodes and boxes the parameters. It is nil for a route without patterns.
  let decode: (@Sendable (RouteDecoder) throws -> any AnyBoxed)?

  /// Calls the handler with the parameters of the request, and boxes the outcome.
  let open: nonisolated(nonsending) @Sendable (RouteRequest) async throws -> any AnyBoxed

  /// Calls the handler without waiting. It is nil if the handler can wait.
  let openNow: (@MainActor (RouteRequest) throws -> any AnyBoxed)?

  /// Creates a handler.
  ///
  /// - Parameters:
  ///   - route: The route, or the parameters and the access of an action.
  ///   - action: The name of the action, or nil for a route.
  ///   - provenance: The source of the handler.
  ///   - actor: The actor for which a request waits. A request that is canceled while it waits does
  ///     not reach the handler.
  ///   - immediate: The handler if it never waits, so that synchronous code can call it.
  ///   - body: The handler.
  init<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>, action: String?, _ provenance: Provenance, on actor: (any Actor)?,
    immediate: (@MainActor (Parameters, RouteRequest) throws -> Outcome)?,
    _ body: nonisolated(nonsending) @escaping (Parameters, RouteRequest) async throws -> Outcome
  ) {
    // Handlers are closures of the main actor, or initializers, which capture nothing. Swift 5 mode
    // does not know that an initializer is Sendable (SE-0418), and a cast needs metadata of these
    // function types, which systems before iOS 18 do not have.
    nonisolated(unsafe) let body = body
    /// Returns the parameters of a request. The router checks their type before it calls a handler.
    @Sendable func parameters(_ request: RouteRequest) -> Parameters {
      (request.parameters as! Boxed<Parameters>).value
    }
    name = HandlerName(id: route.id, action: action)
    self.provenance = provenance
    patterns = route.patterns
    access = route.access
    parametersType = Parameters.self
    outcomeType = Outcome.self
    decode = if let decode = route.decode { { Boxed(value: try decode($0)) } } else { nil }
    open = { request in
      guard let actor else { return Boxed(value: try await body(parameters(request), request)) }
      return Boxed(value: try await onActor(actor) { try await body(parameters(request), request) })
    }
    openNow = if let immediate { { Boxed(value: try immediate(parameters($0), $0)) } } else { nil }
  }

  /// Returns whether only one of two handlers with the same name is used.
  ///
  /// Several modules can have an action with one name.
  func competes(with other: RouteHandler) -> Bool {
    name.action == nil || provenance.module == other.provenance.module
  }
}

/// Runs a closure on an actor, unless the task is canceled while it waits for the actor.
private func onActor<Outcome: Sendable>(
  _ actor: isolated any Actor, _ body: nonisolated(nonsending) @Sendable () async throws -> Outcome
) async throws -> Outcome {
  try Task.checkCancellation()
  return try await body()
}

extension RouteInfo {
  init(_ handler: RouteHandler) {
    self.init(
      id: handler.name.id, action: handler.name.action, patterns: handler.patterns, access: handler.access,
      parameters: handler.parametersType, outcome: handler.outcomeType, module: handler.provenance.module,
      image: handler.provenance.image, handler: handler.provenance.location)
  }
}
