internal import Registry

/// The type that receives the handler of a route or an action.
///
/// Not API: expansions of `#exportRoute`, `@ExportRoute`, and `#exportAction` use it. The methods
/// have the parameters of the macros.
public final class __RouteHandlers: Sendable {
  private let lists = Locked<(routes: [any RouteHandling], actions: [any ActionHandling])>(([], []))

  init() {}

  /// The handlers that the expansion added. An expansion of a macro adds exactly one.
  var routes: [any RouteHandling] { lists.withLock { $0.routes } }
  var actions: [any ActionHandling] { lists.withLock { $0.actions } }

  private func add(_ handler: any RouteHandling) { lists.withLock { $0.routes.append(handler) } }
  private func add(_ handler: any ActionHandling) { lists.withLock { $0.actions.append(handler) } }

  public func on<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>,
    handler: @escaping @MainActor (Parameters, RouteRequest) async throws -> Outcome
  ) {
    add(RouteHandler(route, onMainActor: handler))
  }

  // Disfavored, so that the only parameter of a handler is the request if the route has no
  // parameters.
  @_disfavoredOverload
  public func on<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>, handler: @escaping @MainActor (Parameters) async throws -> Outcome
  ) {
    add(RouteHandler(route, onMainActor: { parameters, _ in try await handler(parameters) }))
  }

  public func on<Outcome: Sendable>(
    _ route: Route<Void, Outcome>, handler: @escaping @MainActor (RouteRequest) async throws -> Outcome
  ) {
    add(RouteHandler(route, onMainActor: { _, request in try await handler(request) }))
  }

  public func on<Outcome: Sendable>(
    _ route: Route<Void, Outcome>, handler: @escaping @MainActor () async throws -> Outcome
  ) {
    add(RouteHandler(route, onMainActor: { _, _ in try await handler() }))
  }

  // The overloads for closures that begin with `@concurrent`, which do not wait for the main actor.
  // The type checker cannot distinguish them from other closures, so they have a name of their own.

  public func onAnyThread<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>,
    handler: @escaping @MainActor (Parameters, RouteRequest) async throws -> Outcome
  ) {
    add(RouteHandler(route) { parameters, request in try await handler(parameters, request) })
  }

  @_disfavoredOverload
  public func onAnyThread<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>, handler: @escaping @MainActor (Parameters) async throws -> Outcome
  ) {
    add(RouteHandler(route) { parameters, _ in try await handler(parameters) })
  }

  public func onAnyThread<Outcome: Sendable>(
    _ route: Route<Void, Outcome>, handler: @escaping @MainActor (RouteRequest) async throws -> Outcome
  ) {
    add(RouteHandler(route) { _, request in try await handler(request) })
  }

  public func onAnyThread<Outcome: Sendable>(
    _ route: Route<Void, Outcome>, handler: @escaping @MainActor () async throws -> Outcome
  ) {
    add(RouteHandler(route) { _, _ in try await handler() })
  }

  // The overloads for handlers that never wait. They have a name of their own, because the type
  // checker would also prefer them for a closure that begins with '@concurrent'.

  public func onSynchronous<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>, handler: @escaping @MainActor (Parameters, RouteRequest) throws -> Outcome
  ) {
    add(RouteHandler(route, immediate: handler))
  }

  @_disfavoredOverload
  public func onSynchronous<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>, handler: @escaping @MainActor (Parameters) throws -> Outcome
  ) {
    add(RouteHandler(route, immediate: { parameters, _ in try handler(parameters) }))
  }

  public func onSynchronous<Outcome: Sendable>(
    _ route: Route<Void, Outcome>, handler: @escaping @MainActor (RouteRequest) throws -> Outcome
  ) {
    add(RouteHandler(route, immediate: { _, request in try handler(request) }))
  }

  public func onSynchronous<Outcome: Sendable>(
    _ route: Route<Void, Outcome>, handler: @escaping @MainActor () throws -> Outcome
  ) {
    add(RouteHandler(route, immediate: { _, _ in try handler() }))
  }

  /// Lets the compiler check that code on any actor can use an exported type as its route's
  /// outcome.
  ///
  /// See `__checkConversion` in `Registry`: the conversion of an initializer skips that check. The
  /// closure is `@Sendable` because the function that calls this may belong to an actor.
  ///
  /// - Returns: This object, on which the expansion calls `make`.
  @inlinable public func check<Parameters, Outcome, Exported>(
    _ route: Route<Parameters, Outcome>, _ exported: Exported.Type, _ convert: @Sendable (Exported) -> Outcome
  ) -> __RouteHandlers { self }

  // The overloads of `make` need `nonisolated(unsafe)` because they receive initializers. These
  // capture nothing, and Swift 5 mode does not know that they are therefore Sendable (SE-0418). A
  // cast is not an alternative, because it needs metadata of these function types, which systems
  // before iOS 18 do not have.

  // The overloads without a request are disfavored: if a type has both initializers, the one with
  // the request is used.

  /// Adds a handler that creates an instance of the exported type.
  ///
  /// There are overloads for initializers that take the parameters, the parameters and the request,
  /// or, for a route without parameters, the request or nothing.
  @_disfavoredOverload
  public func make<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>, _ make: @escaping @isolated(any) (Parameters) async throws -> Outcome
  ) {
    nonisolated(unsafe) let make = make
    add(RouteHandler(route, on: make.isolation) { parameters, _ in try await make(parameters) })
  }

  public func make<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>,
    _ make: @escaping @isolated(any) (Parameters, RouteRequest) async throws -> Outcome
  ) {
    nonisolated(unsafe) let make = make
    add(RouteHandler(route, on: make.isolation) { parameters, request in try await make(parameters, request) })
  }

  @_disfavoredOverload
  public func make<Outcome: Sendable>(
    _ route: Route<Void, Outcome>, _ make: @escaping @isolated(any) () async throws -> Outcome
  ) {
    nonisolated(unsafe) let make = make
    add(RouteHandler(route, on: make.isolation) { _, _ in try await make() })
  }

  public func make<Outcome: Sendable>(
    _ route: Route<Void, Outcome>, _ make: @escaping @isolated(any) (RouteRequest) async throws -> Outcome
  ) {
    nonisolated(unsafe) let make = make
    add(RouteHandler(route, on: make.isolation) { _, request in try await make(request) })
  }

  // Asynchronous initializers match none of the overloads above if the client enables
  // `NonisolatedNonsendingByDefault` (SE-0461). The overloads below accept them. They have one more
  // parameter, because overloads cannot differ in isolation alone. Their optional routes cost the
  // type checker a conversion, so that it prefers an overload above if both match.

  @_disfavoredOverload
  public func make<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>?,
    _ make: nonisolated(nonsending) @escaping (Parameters) async throws -> Outcome, _ none: Void = ()
  ) {
    nonisolated(unsafe) let make = make
    guard let route else { return }
    add(RouteHandler(route) { parameters, _ in try await make(parameters) })
  }

  @_disfavoredOverload
  public func make<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>?,
    _ make: nonisolated(nonsending) @escaping (Parameters, RouteRequest) async throws -> Outcome, _ none: Void = ()
  ) {
    nonisolated(unsafe) let make = make
    guard let route else { return }
    add(RouteHandler(route) { parameters, request in try await make(parameters, request) })
  }

  // The route is optional here and not in the overload below, which the type checker therefore
  // prefers: if a type has both initializers, the one with the request is used.
  @_disfavoredOverload
  public func make<Outcome: Sendable>(
    _ route: Route<Void, Outcome>?, _ make: nonisolated(nonsending) @escaping () async throws -> Outcome,
    _ none: Void = ()
  ) {
    nonisolated(unsafe) let make = make
    guard let route else { return }
    add(RouteHandler(route) { _, _ in try await make() })
  }

  @_disfavoredOverload
  public func make<Outcome: Sendable>(
    _ route: Route<Void, Outcome>, _ make: nonisolated(nonsending) @escaping (RouteRequest) async throws -> Outcome,
    _ none: Void = ()
  ) {
    nonisolated(unsafe) let make = make
    add(RouteHandler(route) { _, request in try await make(request) })
  }

  public func action<Parameters: Decodable & Sendable, Outcome: Sendable>(
    _ target: StaticString, _ action: StaticString, access: RouteAccess = .internal,
    handler: @escaping @MainActor (Parameters) async throws -> Outcome
  ) {
    add(ActionHandler(target, action, access, handler))
  }

  public func action<Outcome: Sendable>(
    _ target: StaticString, _ action: StaticString, access: RouteAccess = .internal,
    handler: @escaping @MainActor () async throws -> Outcome
  ) {
    add(ActionHandler(target, action, access, handler))
  }
}
