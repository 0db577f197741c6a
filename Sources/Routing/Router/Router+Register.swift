public import Registry

extension Router {
  /// Registers a closure that opens a route.
  ///
  /// ```swift
  /// let token = router.register(.orderDetail) { link, request in OrderScreen(link.id) }
  /// token.cancel()
  /// ```
  ///
  /// If the route already has a handler, that handler is used until it is removed, and the conflict
  /// is reported as `duplicate`.
  ///
  /// - Parameters:
  ///   - route: The route to open.
  ///   - fileID: The file of the caller, which identifies the closure in diagnostics.
  ///   - line: The line of the caller.
  ///   - column: The column of the caller.
  ///   - handler: A closure that returns the outcome. It runs on the main actor, unless it begins
  ///     with `{ @concurrent parameters, request in`. The router doesn't call the closure if the
  ///     task is canceled while waiting for the main actor.
  /// - Returns: A token that removes the closure.
  @discardableResult
  public func register<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>, fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    handler: @escaping @MainActor (Parameters, RouteRequest) async throws -> Outcome
  ) -> RegistrationToken {
    register("\(fileID):\(line):\(column)") { $0.on(route, handler: handler) }
  }

  /// Registers a closure that opens a route and takes only the parameters.
  ///
  /// If the route has no parameters, the closure takes no arguments, as in
  /// `router.register(.home) { Home() }`.
  @discardableResult
  public func register<Parameters, Outcome: Sendable>(
    _ route: Route<Parameters, Outcome>, fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    handler: @escaping @MainActor (Parameters) async throws -> Outcome
  ) -> RegistrationToken {
    register("\(fileID):\(line):\(column)") { $0.on(route, handler: handler) }
  }

  /// Registers a closure that opens a route without waiting.
  ///
  /// Even synchronous code can open the route; see ``synchronousObject(for:as:from:values:)``. The
  /// same is true of an `#exportRoute` closure without `await`.
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
    register("\(fileID):\(line):\(column)") { $0.onNow(route, handler: handler) }
  }

  // MARK: - Actions

  /// Registers a closure that performs an action.
  ///
  /// The action belongs to the caller's module. If the module already has an action with these
  /// names, that action is used until it is removed, and the conflict is reported as `duplicate`.
  ///
  /// - Parameters:
  ///   - target: The name of the target that has the action.
  ///   - action: The name of the action.
  ///   - access: `.remote` to let requests from outside the app perform the action.
  ///   - fileID: The file of the caller, which identifies the closure in diagnostics.
  ///   - line: The line of the caller.
  ///   - column: The column of the caller.
  ///   - handler: A closure that performs the action. It runs on the main actor.
  /// - Returns: A token that removes the closure.
  @discardableResult
  public func registerAction<Parameters: Decodable & Sendable, Outcome: Sendable>(
    _ target: StaticString, _ action: StaticString, access: RouteOrigin = .local,
    fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    handler: @escaping @MainActor (Parameters) async throws -> Outcome
  ) -> RegistrationToken {
    register("\(fileID):\(line):\(column)") { $0.action(target, action, access: access, handler: handler) }
  }

  /// Registers a closure that performs an action without parameters.
  @discardableResult
  public func registerAction<Outcome: Sendable>(
    _ target: StaticString, _ action: StaticString, access: RouteOrigin = .local,
    fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    handler: @escaping @MainActor () async throws -> Outcome
  ) -> RegistrationToken {
    register("\(fileID):\(line):\(column)") { $0.action(target, action, access: access, handler: handler) }
  }

  /// Registers a closure that performs an action and receives the request.
  @discardableResult
  public func registerAction<Parameters: Decodable & Sendable, Outcome: Sendable>(
    _ target: StaticString, _ action: StaticString, access: RouteOrigin = .local,
    fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    handler: @escaping @MainActor (Parameters, RouteRequest) async throws -> Outcome
  ) -> RegistrationToken {
    register("\(fileID):\(line):\(column)") { $0.action(target, action, access: access, handler: handler) }
  }

  /// Registers a closure that performs an action without parameters and receives the request.
  @discardableResult
  public func registerAction<Outcome: Sendable>(
    _ target: StaticString, _ action: StaticString, access: RouteOrigin = .local,
    fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    handler: @escaping @MainActor (Void, RouteRequest) async throws -> Outcome
  ) -> RegistrationToken {
    register("\(fileID):\(line):\(column)") { $0.action(target, action, access: access, handler: handler) }
  }
}
