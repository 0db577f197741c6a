// Overloads that the compiler selects only if code uses a route incorrectly. Their messages say how
// to fix the code. Without them, the compiler's messages would be about a different overload.
//
// An overload for handlers with wrong parameters would hide other errors, because the compiler
// would select it for any error in a handler's body.

public import Foundation

extension Router {
  /// Selected when a route with parameters is opened without them.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the route has parameters; pass them, as in 'open(.order, OrderLink(id: 7))' [missing-route-parameters]"
  )
  @discardableResult
  public nonisolated(nonsending) func open<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>, values: RouteValues = RouteValues()
  ) async throws -> Outcome {
    fatalError("unavailable")
  }

  /// Selected when a URL is opened with parameters.
  @_documentation(visibility: internal) @_disfavoredOverload @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message: """
      a URL contains the parameters; open the route in place of the URL, as in 'open(.order, 5)', or pass the origin of \
      the URL, as in 'open(url, from: .local)'
      """
  )
  @discardableResult
  public nonisolated(nonsending) func open(_ url: URL, _ parameters: Any) async throws -> RouteOutcome {
    fatalError("unavailable")
  }

  /// Selected when a URL is opened without its origin.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: """
      a URL has no default origin; pass 'from: .remote' for a link from outside the app, or 'from: .local' for a URL \
      that the app has created [missing-origin]
      """
  )
  @discardableResult
  public nonisolated(nonsending) func open(_ url: URL, values: RouteValues = RouteValues()) async throws -> RouteOutcome
  {
    fatalError("unavailable")
  }

  /// Selected when a route is opened with an origin.
  @_documentation(visibility: internal) @_disfavoredOverload @_alwaysEmitIntoClient @discardableResult
  @available(*, unavailable, message: "only a URL has an origin; remove 'from:', because code can open every route")
  public nonisolated(nonsending) func open<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>, _ parameters: Any = (), from origin: RouteOrigin,
    values: RouteValues = RouteValues()
  ) async throws -> Outcome {
    fatalError("unavailable")
  }

  /// Selected when a route is passed instead of a URL.
  @_documentation(visibility: internal) @_disfavoredOverload @_alwaysEmitIntoClient
  @available(*, unavailable, message: "pass a URL, or open the route with 'open(.order, parameters)'")
  public func canOpen<Parameters, Outcome>(
    _ route: Route<Parameters, Outcome>, from origin: RouteOrigin
  ) -> RouteRequest? {
    fatalError("unavailable")
  }

  /// Selected when a route is passed instead of a URL.
  @_documentation(visibility: internal) @_disfavoredOverload @_alwaysEmitIntoClient
  @available(*, unavailable, message: "pass a URL, or open the route with 'open(.order, parameters)'")
  public func object<Parameters, Outcome, Object>(
    for route: Route<Parameters, Outcome>, as type: Object.Type = Object.self, from origin: RouteOrigin
  ) async throws -> Object {
    fatalError("unavailable")
  }

  /// Selected when a route is passed instead of a URL.
  @_documentation(visibility: internal) @_disfavoredOverload @_alwaysEmitIntoClient
  @available(*, unavailable, message: "pass a URL, or open the route with 'open(.order, parameters)'")
  public func synchronousObject<Parameters, Outcome, Object>(
    for route: Route<Parameters, Outcome>, as type: Object.Type = Object.self, from origin: RouteOrigin
  ) throws -> Object {
    fatalError("unavailable")
  }

  /// Selected when a handler is registered with an access.
  @_documentation(visibility: internal) @_disfavoredOverload @_alwaysEmitIntoClient
  @available(
    *, unavailable, message: "declare the access with the route: '.init(\"shop.order\", […], access: .remote)'"
  )
  public func register<Parameters, Outcome>(
    _ route: Route<Parameters, Outcome>, access: RouteOrigin, handler: @MainActor (Parameters) async throws -> Outcome
  ) {}

  /// Selected when a handler is registered with an access.
  @_documentation(visibility: internal) @_disfavoredOverload @_alwaysEmitIntoClient
  @available(
    *, unavailable, message: "declare the access with the route: '.init(\"shop.order\", […], access: .remote)'"
  )
  public func register<Parameters, Outcome>(
    _ route: Route<Parameters, Outcome>, access: RouteOrigin,
    handler: @MainActor (Parameters, RouteRequest) async throws -> Outcome
  ) {}
}

extension RouteDecision {
  /// Selected when a request is redirected without the route's parameters.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "the route has parameters; pass them, as in 'redirect(.order, OrderLink(id: 7))' [missing-route-parameters]"
  )
  public static func redirect<Parameters, Outcome: Sendable>(_ route: Route<Parameters, Outcome>) -> RouteDecision {
    fatalError("unavailable")
  }

  /// Selected when a request is handed off without the route's parameters.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: "the route has parameters; pass them, as in 'handOff(.order, OrderLink(id: 7))' [missing-route-parameters]"
  )
  public static func handOff<Parameters, Outcome: Sendable>(_ route: Route<Parameters, Outcome>) -> RouteDecision {
    fatalError("unavailable")
  }
}

extension Route {
  /// Selected when a route with patterns has parameters that are not decodable.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: """
      the parameters of a route with patterns are decoded from a URL, so their type must conform to 'Decodable'; \
      add the conformance, or remove the patterns [parameters-not-decodable]
      """
  )
  public init(_ id: String, _ patterns: [RoutePattern], access: RouteOrigin = .local) {
    fatalError("unavailable")
  }
}

extension __RouteHandlers {
  /// Selected when the exported type has no suitable initializer.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: """
      the exported type has no initializer that takes the route's parameters and creates its outcome; \
      write 'init(_ parameters: …) { … }' in its body [missing-route-initializer]
      """
  )
  public func make<Parameters, Outcome>(_ route: Route<Parameters, Outcome>, _ make: Any) {}

  /// Selected when the exported type does not convert to the outcome.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: """
      the exported type does not convert to the route's outcome; add the protocol of the outcome to the declaration \
      of the type [missing-conformance]
      """
  )
  public func check<Parameters, Outcome, Exported>(
    _ route: Route<Parameters, Outcome>, _ exported: Exported.Type, _ convert: @Sendable (Exported) -> Any
  ) -> __NotTheOutcome {
    __NotTheOutcome()
  }
}

extension __RouteHandlers {
  /// Selected when the route has no outcome.
  @inlinable public func check<Parameters, Exported>(
    _ route: Route<Parameters, Void>, _ exported: Exported.Type, _ convert: @Sendable (Exported) -> Any
  ) -> __NoOutcome { __NoOutcome() }
}

/// The result of checking a type for a route without an outcome.
@frozen public struct __NoOutcome {
  @inlinable init() {}

  @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message: """
      the route has no outcome, so it cannot create the exported type; declare it with another outcome than 'Void', or \
      export a handler with '#exportRoute' [missing-conformance]
      """
  )
  public func make<Parameters>(_ route: Route<Parameters, Void>, _ make: Any) {}
}

/// The result of checking a type that doesn't convert to the outcome. Its method accepts any
/// initializer, so that the compiler reports only one error.
public struct __NotTheOutcome {
  public func make<Parameters, Outcome>(_ route: Route<Parameters, Outcome>, _ make: Any) {}
}
