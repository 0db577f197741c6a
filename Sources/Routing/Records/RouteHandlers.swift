internal import Registry

/// The type that receives the handler of a route or an action.
///
/// Not API: expansions of `#exportRoute`, `@ExportRoute`, and `#exportAction` use it. The methods
/// `on`, `onNow`, and `action` take the arguments of the freestanding macros, except for the group.
public final class __RouteHandlers: Sendable {
  private let provenance: Provenance
  private let list = Locked<[RouteHandler]>([])
  /// The object whose list receives the handlers; nil for this object.
  private let target: __RouteHandlers?
  /// The actor that closures passed to `on` and `onNow` wait for, or nil if they don't wait.
  private let actor: (any Actor)?

  init(_ provenance: Provenance, target: __RouteHandlers? = nil, on actor: (any Actor)? = MainActor.shared) {
    self.provenance = provenance
    self.target = target
    self.actor = actor
  }

  /// An object for closures that begin with `@concurrent`, which don't wait for the main actor.
  ///
  /// The type checker can't distinguish them from other closures. The name is short, because
  /// `offMain.on` replaces the macro's name without moving the arguments to another column.
  public var offMain: __RouteHandlers { __RouteHandlers(provenance, target: target ?? self, on: nil) }

  var only: RouteHandler? { list.withLock { $0.count == 1 ? $0[0] : nil } }

  private func add<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>?, action: String? = nil, on actor: (any Actor)?,
    immediate: (@MainActor (Parameters, RouteRequest) throws -> Outcome)? = nil,
    _ body: nonisolated(nonsending) @escaping (Parameters, RouteRequest) async throws -> Outcome
  ) {
    guard let route else { return }
    let handler = RouteHandler(route, action: action, provenance, on: actor, immediate: immediate, body)
    (target ?? self).list.withLock { $0.append(handler) }
  }

  public func on<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>,
    handler: @escaping @MainActor (Parameters, RouteRequest) async throws -> Outcome
  ) {
    add(route, on: actor) { parameters, request in try await handler(parameters, request) }
  }

  // For a route without parameters, `Parameters` is `Void` in `on` and `onNow`. Don't add overloads
  // that take only the request, because they would compete with these overloads for that route.
  public func on<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>,
    handler: @escaping @MainActor (Parameters) async throws -> Outcome
  ) {
    add(route, on: actor) { parameters, _ in try await handler(parameters) }
  }

  // Overloads for handlers that never wait. If they were named `on`, the type checker would prefer
  // them even for a closure that begins with `@concurrent`, and then reject the closure.

  public func onNow<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>,
    handler: @escaping @MainActor (Parameters, RouteRequest) throws -> Outcome
  ) {
    add(route, on: actor, immediate: handler) { parameters, request in try await handler(parameters, request) }
  }

  public func onNow<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>,
    handler: @escaping @MainActor (Parameters) throws -> Outcome
  ) {
    onNow(route) { parameters, _ in try handler(parameters) }
  }

  /// Makes the compiler check that code on any actor can use an exported type as the outcome of a
  /// route.
  ///
  /// Converting an initializer would skip the check; see `__checkConversion` in `Registry`. If the
  /// closure weren't `@Sendable`, it could inherit the caller's actor and pass the check there.
  ///
  /// - Returns: This object, so that the expansion can call `make` on it.
  @inlinable public func check<Parameters, Outcome, Exported>(
    _ route: Route<Parameters, Outcome>, _ exported: Exported.Type, _ convert: @Sendable (Exported) -> Outcome
  ) -> __RouteHandlers { self }

  // Overloads without a request are disfavored, so that the compiler selects the initializer with
  // the request if a type has initializers with and without the request.

  /// Adds a handler that creates an instance of the exported type.
  ///
  /// Other overloads accept initializers that take the parameters and the request or, for a route
  /// without parameters, only the request. For that route, this overload accepts `init()`.
  @_disfavoredOverload
  public func make<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>, _ make: @escaping @isolated(any) (Parameters) async throws -> Outcome
  ) {
    add(route, on: make.isolation) { parameters, _ in try await make(parameters) }
  }

  public func make<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>,
    _ make: @escaping @isolated(any) (Parameters, RouteRequest) async throws -> Outcome
  ) {
    add(route, on: make.isolation) { parameters, request in try await make(parameters, request) }
  }

  public func make<Outcome: Sendable>(
    _ route: Route<Void, Outcome>, _ make: @escaping @isolated(any) (RouteRequest) async throws -> Outcome
  ) {
    add(route, on: make.isolation) { _, request in try await make(request) }
  }

  // Asynchronous initializers match none of the overloads above if the client enables
  // `NonisolatedNonsendingByDefault` (SE-0461). The overloads below accept them. They have one more
  // parameter, because overloads can't differ in isolation alone. In all but the last, the route is
  // optional, so the type checker prefers a matching overload above, which needs no conversion.

  @_disfavoredOverload
  public func make<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>?,
    _ make: nonisolated(nonsending) @escaping (Parameters) async throws -> Outcome, _ none: Void = ()
  ) {
    add(route, on: nil) { parameters, _ in try await make(parameters) }
  }

  public func make<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>?,
    _ make: nonisolated(nonsending) @escaping (Parameters, RouteRequest) async throws -> Outcome, _ none: Void = ()
  ) {
    add(route, on: nil) { parameters, request in try await make(parameters, request) }
  }

  // The route is not optional here, so that the type checker prefers this overload for a type that
  // has both `init()` and an initializer with the request.
  @_disfavoredOverload
  public func make<Outcome: Sendable>(
    _ route: Route<Void, Outcome>, _ make: nonisolated(nonsending) @escaping (RouteRequest) async throws -> Outcome,
    _ none: Void = ()
  ) {
    add(route, on: nil) { _, request in try await make(request) }
  }

  public func action<Parameters: Decodable & Sendable, Outcome: Sendable>(
    _ target: StaticString, _ action: StaticString, access: RouteOrigin = .local,
    handler: @escaping @MainActor (Parameters, RouteRequest) async throws -> Outcome
  ) {
    add(Route<Parameters, Outcome>("\(target)", [], access: access), action: "\(action)", on: actor) {
      try await handler($0, $1)
    }
  }

  public func action<Outcome: Sendable>(
    _ target: StaticString, _ action: StaticString, access: RouteOrigin = .local,
    handler: @escaping @MainActor (Void, RouteRequest) async throws -> Outcome
  ) {
    add(Route<Void, Outcome>("\(target)", [], access: access), action: "\(action)", on: actor) {
      try await handler($0, $1)
    }
  }

  public func action<Parameters: Decodable & Sendable, Outcome: Sendable>(
    _ target: StaticString, _ action: StaticString, access: RouteOrigin = .local,
    handler: @escaping @MainActor (Parameters) async throws -> Outcome
  ) {
    self.action(target, action, access: access) { (parameters: Parameters, _) in try await handler(parameters) }
  }

  public func action<Outcome: Sendable>(
    _ target: StaticString, _ action: StaticString, access: RouteOrigin = .local,
    handler: @escaping @MainActor () async throws -> Outcome
  ) {
    self.action(target, action, access: access) { (_: Void, _) in try await handler() }
  }
}
