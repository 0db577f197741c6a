public import Registry

extension Router {
  /// Registers a closure that opens a route.
  ///
  /// ```swift
  /// let token = router.register(.orderDetail) { link, request in OrderScreen(link.id) }
  /// token.cancel()
  /// ```
  ///
  /// If the route already has a handler, that one is used until it is removed, and the conflict is
  /// reported as ``/Registry/Diagnostic/Code/duplicate``.
  ///
  /// - Parameters:
  ///   - route: The route to open.
  ///   - fileID: The file of the caller, which identifies the closure in diagnostics.
  ///   - line: The line of the caller.
  ///   - column: The column of the caller.
  ///   - handler: A closure that returns the outcome. It runs on the main actor, unless it begins
  ///     with `{ @concurrent parameters, request in`. The router does not call it if the request is
  ///     canceled while it waits for the main actor.
  /// - Returns: A token that removes the closure.
  @discardableResult
  public func register<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>, fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    handler: @escaping @MainActor (Parameters, RouteRequest) async throws -> Outcome
  ) -> RegistrationToken {
    add(RouteHandler(route, onMainActor: handler), "\(fileID):\(line):\(column)")
  }

  /// Registers a closure that opens a route and takes only the parameters.
  // Disfavored, so that the only parameter of a handler is the request if the route has no
  // parameters.
  @_disfavoredOverload
  @discardableResult
  public func register<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>, fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    handler: @escaping @MainActor (Parameters) async throws -> Outcome
  ) -> RegistrationToken {
    add(
      RouteHandler(route, onMainActor: { parameters, _ in try await handler(parameters) }),
      "\(fileID):\(line):\(column)")
  }

  /// Registers a closure that opens a route without parameters.
  @discardableResult
  public func register<Outcome: Sendable>(
    _ route: Route<Void, Outcome>, fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    handler: @escaping @MainActor (RouteRequest) async throws -> Outcome
  ) -> RegistrationToken {
    add(RouteHandler(route, onMainActor: { _, request in try await handler(request) }), "\(fileID):\(line):\(column)")
  }

  /// Registers a closure that opens a route without parameters and takes no request.
  @discardableResult
  public func register<Outcome: Sendable>(
    _ route: Route<Void, Outcome>, fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    handler: @escaping @MainActor () async throws -> Outcome
  ) -> RegistrationToken {
    add(RouteHandler(route, onMainActor: { _, _ in try await handler() }), "\(fileID):\(line):\(column)")
  }

  // MARK: - Handlers that never wait

  /// Registers a closure that opens a route without waiting.
  ///
  /// Synchronous code can also open the route; see ``synchronousObject(for:as:from:values:)``. A
  /// closure of `#exportRoute` that does not contain `await` can be opened in the same way.
  ///
  /// - Parameters:
  ///   - route: The route to open.
  ///   - fileID: The file of the caller, which identifies the closure in diagnostics.
  ///   - line: The line of the caller.
  ///   - column: The column of the caller.
  ///   - handler: A closure that returns the outcome. It runs on the main actor.
  /// - Returns: A token that removes the closure.
  @discardableResult
  public func registerSynchronous<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>, fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    handler: @escaping @MainActor (Parameters, RouteRequest) throws -> Outcome
  ) -> RegistrationToken {
    add(RouteHandler(route, immediate: handler), "\(fileID):\(line):\(column)")
  }

  /// Registers a closure that opens a route without waiting and takes only the parameters.
  @_disfavoredOverload
  @discardableResult
  public func registerSynchronous<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>, fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    handler: @escaping @MainActor (Parameters) throws -> Outcome
  ) -> RegistrationToken {
    add(RouteHandler(route, immediate: { parameters, _ in try handler(parameters) }), "\(fileID):\(line):\(column)")
  }

  /// Registers a closure that opens a route without parameters and without waiting.
  @discardableResult
  public func registerSynchronous<Outcome: Sendable>(
    _ route: Route<Void, Outcome>, fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    handler: @escaping @MainActor (RouteRequest) throws -> Outcome
  ) -> RegistrationToken {
    add(RouteHandler(route, immediate: { _, request in try handler(request) }), "\(fileID):\(line):\(column)")
  }

  /// Registers a closure that opens a route without parameters and without waiting, and that takes
  /// no request.
  @discardableResult
  public func registerSynchronous<Outcome: Sendable>(
    _ route: Route<Void, Outcome>, fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    handler: @escaping @MainActor () throws -> Outcome
  ) -> RegistrationToken {
    add(RouteHandler(route, immediate: { _, _ in try handler() }), "\(fileID):\(line):\(column)")
  }

  private func add(_ handler: any RouteHandling, _ location: String) -> RegistrationToken {
    // Scan first, so that the handlers of loaded images precede the new one.
    scan(reportsUnread: false)
    let (provenance, diagnostic) = state.withLock { state in
      let provenance = Provenance(location: location, image: nil, rank: state.nextRank())
      return (provenance, state.insert(handler, provenance))
    }
    if let diagnostic { log.report(diagnostic) }
    checkParameters(of: handler, provenance)
    return token(of: provenance.rank, for: handler.id, in: \.routes)
  }
}
