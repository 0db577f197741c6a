public import Registry

extension Router {
  /// Opens a route with a closure from now on.
  ///
  /// ```swift
  /// let token = router.register(.orderDetail) { parameters, request in OrderScreen(parameters.id) }
  /// token.cancel()
  /// ```
  ///
  /// A route that is handled already is reported (`duplicate`), and the closure waits for the other handler to go.
  ///
  /// - Parameter handler: Runs on the main actor; one that begins with `{ @concurrent parameters, request in` does not.
  /// - Returns: What ends it; it goes on if that is let go of.
  @preconcurrency @discardableResult
  public func register<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>, fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    handler: @escaping @MainActor (Parameters, RouteRequest) async throws -> Outcome
  ) -> RegistrationToken {
    add(RouteHandler(route) { try await handler($0, $1) }, "\(fileID):\(line):\(column)")
  }

  /// Opens a route with a closure that takes the parameters alone.
  // Disfavoured, as a handler of a route without parameters takes the request.
  @_disfavoredOverload
  @preconcurrency @discardableResult
  public func register<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>, fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    handler: @escaping @MainActor (Parameters) async throws -> Outcome
  ) -> RegistrationToken {
    add(RouteHandler(route) { parameters, _ in try await handler(parameters) }, "\(fileID):\(line):\(column)")
  }

  /// Opens a route without parameters with a closure.
  @preconcurrency @discardableResult
  public func register<Outcome: Sendable>(
    _ route: Route<Void, Outcome>, fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    handler: @escaping @MainActor (RouteRequest) async throws -> Outcome
  ) -> RegistrationToken {
    add(RouteHandler(route) { _, request in try await handler(request) }, "\(fileID):\(line):\(column)")
  }

  /// Opens a route without parameters with a closure that takes none.
  @preconcurrency @discardableResult
  public func register<Outcome: Sendable>(
    _ route: Route<Void, Outcome>, fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    handler: @escaping @MainActor () async throws -> Outcome
  ) -> RegistrationToken {
    add(RouteHandler(route) { _, _ in try await handler() }, "\(fileID):\(line):\(column)")
  }

  private func add(_ handler: any RouteHandling, _ location: String) -> RegistrationToken {
    // What is present comes before what is registered from now on.
    scan(reportsUnread: false)
    let (rank, diagnostic) = state.withLock { state in
      let rank = state.nextRank()
      return (rank, state.insert(handler, Provenance(location: location, image: nil, rank: rank)))
    }
    if let diagnostic { log.report(diagnostic) }
    return token(of: rank, for: handler.id, in: \.routes)
  }
}
