internal import Registry

struct HandlerName: Sendable, Hashable {
  /// The identifier of the route, or the name of the action's target.
  let id: String
  var action: String?

  var text: String { action.map { "\(id).\($0)" } ?? id }
}

/// A handler of a route or an action, without static types.
final class RouteHandler: Sendable {
  let info: RouteInfo
  let provenance: Provenance

  /// Decodes and boxes the parameters; nil for a route that only code can open.
  let decode: (@Sendable (RouteDecoder) throws -> any AnyBoxed)?

  let open: nonisolated(nonsending) @Sendable (RouteRequest) async throws -> any AnyBoxed

  /// Calls the handler without waiting; nil if the handler isn't known to be synchronous.
  let openNow: (@MainActor (RouteRequest) throws -> any AnyBoxed)?

  /// Creates a handler.
  ///
  /// - Parameters:
  ///   - route: The route, or the parameters and the access of an action.
  ///   - action: The name of the action, or nil for a route.
  ///   - provenance: The source of the handler.
  ///   - actor: The actor that a request waits for, or nil. A request that is canceled during this
  ///     wait doesn't reach the handler.
  ///   - immediate: The handler if it never waits, so that synchronous code can call it.
  ///   - body: The handler.
  init<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>, action: String?, _ provenance: Provenance, on actor: (any Actor)?,
    immediate: (@MainActor (Parameters, RouteRequest) throws -> Outcome)?,
    _ body: nonisolated(nonsending) @escaping (Parameters, RouteRequest) async throws -> Outcome
  ) {
    // Safe: the body calls a main-actor closure or an initializer, and an initializer captures
    // nothing. Swift 5 mode doesn't know that an initializer is Sendable (SE-0418), and a cast
    // needs metadata of these function types, which older systems, such as iOS 17, don't support.
    nonisolated(unsafe) let body = body
    /// Returns a request's parameters. The router checks their type before calling a handler.
    @Sendable func parameters(_ request: RouteRequest) -> Parameters {
      (request.parameters as! Boxed<Parameters>).value
    }
    info = RouteInfo(
      id: route.id, action: action, patterns: route.patterns, access: route.access, parameters: Parameters.self,
      outcome: Outcome.self, module: provenance.module, image: provenance.image, handler: provenance.location)
    self.provenance = provenance
    decode = if let decode = route.decode { { Boxed(value: try decode($0)) } } else { nil }
    open = { request in
      guard let actor else { return Boxed(value: try await body(parameters(request), request)) }
      return Boxed(value: try await onActor(actor) { try await body(parameters(request), request) })
    }
    openNow = if let immediate { { Boxed(value: try immediate(parameters($0), $0)) } } else { nil }
  }

  var name: HandlerName { HandlerName(id: info.id, action: info.action) }

  /// Returns whether two handlers with the same name exclude each other. Actions of different
  /// modules don't.
  func competes(with other: RouteHandler) -> Bool {
    info.action == nil || info.module == other.info.module
  }
}

private func onActor<Outcome: Sendable>(
  _ actor: isolated any Actor, _ body: nonisolated(nonsending) @Sendable () async throws -> Outcome
) async throws -> Outcome {
  try Task.checkCancellation()
  return try await body()
}
