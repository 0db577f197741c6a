internal import Registry

/// Takes the handler of a route or an action. Not API: what an expansion of `#exportRoute`, `@ExportRoute` or `#exportAction` calls.
///
/// Its methods have the parameters of the macros.
public final class __RouteHandlers: Sendable {
  private let lists = Locked<(routes: [any RouteHandling], actions: [any ActionHandling])>(([], []))

  init() {}

  /// What was given; one in all, unless an accessor is not the macro's.
  var routes: [any RouteHandling] { lists.withLock { $0.routes } }
  var actions: [any ActionHandling] { lists.withLock { $0.actions } }

  private func add(_ handler: any RouteHandling) { lists.withLock { $0.routes.append(handler) } }
  private func add(_ handler: any ActionHandling) { lists.withLock { $0.actions.append(handler) } }

  // Preconcurrency: in Swift 5 mode a function named as the handler is not known to be Sendable (SE-0418).
  @preconcurrency public func on<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>,
    handler: @escaping @MainActor (Parameters, RouteRequest) async throws -> Outcome
  ) {
    add(RouteHandler(route) { parameters, request in try await handler(parameters, request) })
  }

  // Disfavoured, as a handler of a route without parameters takes the request.
  @_disfavoredOverload
  @preconcurrency public func on<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>, handler: @escaping @MainActor (Parameters) async throws -> Outcome
  ) {
    add(RouteHandler(route) { parameters, _ in try await handler(parameters) })
  }

  @preconcurrency public func on<Outcome: Sendable>(
    _ route: Route<Void, Outcome>, handler: @escaping @MainActor (RouteRequest) async throws -> Outcome
  ) {
    add(RouteHandler(route) { _, request in try await handler(request) })
  }

  @preconcurrency public func on<Outcome: Sendable>(
    _ route: Route<Void, Outcome>, handler: @escaping @MainActor () async throws -> Outcome
  ) {
    add(RouteHandler(route) { _, _ in try await handler() })
  }

  /// Lets the compiler check that code on any actor can use an exported type as its route's
  /// outcome.
  ///
  /// See `__checkConversion` in `Registry`: the conversion of an initializer skips that check. The
  /// closure is `@Sendable` because the function that calls this may belong to an actor.
  @inlinable public func check<Parameters, Outcome, Exported>(
    _ route: Route<Parameters, Outcome>, _ exported: Exported.Type, _ convert: @Sendable (Exported) -> Outcome
  ) {}

  /// Chosen when the exported type does not convert to the outcome. The call of `make` that follows
  /// says why.
  @_disfavoredOverload
  @inlinable public func check<Parameters, Outcome, Exported>(
    _ route: Route<Parameters, Outcome>, _ exported: Exported.Type, _ convert: @Sendable (Exported) -> Any
  ) {}

  // Initializers capture nothing. Swift 5 mode does not know that they are therefore Sendable (SE-0418): hence `nonisolated(unsafe)`. No
  // casts, for which the run time would have to know these types of functions, as no system before iOS 18 does.

  // Of several initializers the one that takes the request is meant: it says more.

  /// Takes an initializer: of the parameters, of them and the request, or, for a route without parameters, of the request or nothing.
  @_disfavoredOverload
  public func make<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>, _ make: @escaping @isolated(any) (Parameters) async throws -> Outcome
  ) {
    nonisolated(unsafe) let make = make
    add(RouteHandler(route) { parameters, _ in try await make(parameters) })
  }

  public func make<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>,
    _ make: @escaping @isolated(any) (Parameters, RouteRequest) async throws -> Outcome
  ) {
    nonisolated(unsafe) let make = make
    add(RouteHandler(route) { parameters, request in try await make(parameters, request) })
  }

  @_disfavoredOverload
  public func make<Outcome: Sendable>(
    _ route: Route<Void, Outcome>, _ make: @escaping @isolated(any) () async throws -> Outcome
  ) {
    nonisolated(unsafe) let make = make
    add(RouteHandler(route) { _, _ in try await make() })
  }

  public func make<Outcome: Sendable>(
    _ route: Route<Void, Outcome>, _ make: @escaping @isolated(any) (RouteRequest) async throws -> Outcome
  ) {
    nonisolated(unsafe) let make = make
    add(RouteHandler(route) { _, request in try await make(request) })
  }

  // An asynchronous initializer of a client that has `NonisolatedNonsendingByDefault` on (SE-0461) is none of the above. The last
  // parameter is there because overloads may not differ in isolation alone, and the route is an optional because that costs the type
  // checker a conversion: what can be either is one of those above.

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

  // The optional: of two the one that takes the request is meant here as well.
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

  @preconcurrency public func action<Parameters: Decodable & Sendable, Outcome: Sendable>(
    _ target: StaticString, _ action: StaticString, access: RouteAccess = .internal,
    handler: @escaping @MainActor (Parameters) async throws -> Outcome
  ) {
    add(ActionHandler(target, action, access, handler))
  }

  @preconcurrency public func action<Outcome: Sendable>(
    _ target: StaticString, _ action: StaticString, access: RouteAccess = .internal,
    handler: @escaping @MainActor () async throws -> Outcome
  ) {
    add(ActionHandler(target, action, access, handler))
  }

  /// Chosen when a type has no initializer that would do.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message:
      "the exported type has no initializer that takes the route's parameters and makes its outcome: write 'init(_ parameters: …) { … }' in its body"
  )
  public func make<Parameters, Outcome>(_ route: Route<Parameters, Outcome>, _ make: Any) {}
}
