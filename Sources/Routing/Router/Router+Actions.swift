public import Registry

extension Router {
  /// Performs an action by its names.
  ///
  /// ```swift
  /// let receipt = try await router.perform("orders", "show", ["id": 7])
  /// ```
  ///
  /// This method is for callers that cannot name types, such as scripts and remote configuration.
  /// It performs only actions that are exported with ``exportAction(_:_:access:handler:)-3ugcd`` or
  /// registered. Interceptors and observers do not apply to actions.
  ///
  /// - Parameters:
  ///   - target: The name of the target to which the action belongs.
  ///   - action: The name of the action.
  ///   - parameters: The values from which the parameters of the action are decoded. Strings can
  ///     represent numbers and Boolean values.
  ///   - module: The module that contains the action, or nil if only one module has an action with
  ///     these names.
  ///   - origin: The origin of the request. A remote request reaches only actions with
  ///     ``RouteAccess/remote``.
  /// - Returns: The result of the action, or `()` if it has none.
  /// - Throws: ``RouteError``, or the error that the action throws.
  @discardableResult
  public nonisolated(nonsending) func perform(
    _ target: String, _ action: String, _ parameters: [String: PropertyValue] = [:], module: String? = nil,
    from origin: RouteOrigin = .local
  ) async throws -> any Sendable {
    await load()
    let handler = try find(target, action, module, origin)
    let prepared: PreparedAction
    do {
      prepared = try handler.prepare(RouteArguments(parameters))
    } catch {
      throw RouteError.badParameters(
        route: "\(target).\(action)", pattern: nil, reason: (error as? DecodingError)?.reason ?? "\(error)")
    }
    return try await prepared()
  }

  /// Performs an action by its names and returns a result of the given type.
  ///
  /// - Parameters:
  ///   - target: The name of the target to which the action belongs.
  ///   - action: The name of the action.
  ///   - parameters: The values from which the parameters of the action are decoded.
  ///   - type: The type of the result.
  ///   - module: The module that contains the action, or nil if only one module has an action with
  ///     these names.
  ///   - origin: The origin of the request. A remote request reaches only actions with
  ///     ``RouteAccess/remote``.
  /// - Returns: The result of the action.
  /// - Throws: ``RouteError``, also if the result has another type, or the error that the action
  ///   throws.
  public nonisolated(nonsending) func perform<Outcome>(
    _ target: String, _ action: String, _ parameters: [String: PropertyValue] = [:], as type: Outcome.Type,
    module: String? = nil, from origin: RouteOrigin = .local
  ) async throws -> Outcome {
    let value = try await perform(target, action, parameters, module: module, from: origin)
    guard let outcome = value as? Outcome else {
      throw RouteError.wrongType(
        route: "\(target).\(action)", expected: "\(type)", found: "\(Swift.type(of: value))")
    }
    return outcome
  }

  private func find(
    _ target: String, _ action: String, _ module: String?, _ origin: RouteOrigin
  ) throws(RouteError) -> any ActionHandling {
    let entries = state.withLock { state in
      state.modules(with: action, of: target).compactMap {
        state.actions[ActionName(target: target, action: action, module: $0)]
      }
    }
    let usable = entries.filter {
      (module == nil || $0.provenance.module == module) && origin.reaches($0.handler.access)
    }
    if usable.count > 1 {
      throw .ambiguousAction(target: target, action: action, modules: usable.map(\.provenance.module))
    }
    if let entry = usable.first { return entry.handler }
    // A remote caller must not learn which actions it cannot perform.
    throw .actionNotFound(
      target: target, action: action, module: module, nearest: origin == .local ? nearest(target, action) : nil)
  }

  /// Returns a similar name of an action, or the modules that contain an action with these names.
  private func nearest(_ target: String, _ action: String) -> String? {
    let (all, modules) = state.withLock { state in
      (state.actions.keys.map { "\($0.target).\($0.action)" }, state.modules(with: action, of: target))
    }
    let name = "\(target).\(action)"
    if !modules.isEmpty { return "\(name) in \(modules.joined(separator: ", "))" }
    return name.nearest(in: all)
  }

  // MARK: - Registration

  /// Registers a closure that performs an action.
  ///
  /// The module of the action is the caller's. If the module already has an action with these
  /// names, it is used until it is removed, and the conflict is reported as
  /// ``/Registry/Diagnostic/Code/duplicate``.
  ///
  /// - Parameters:
  ///   - target: The name of the target to which the action belongs.
  ///   - action: The name of the action.
  ///   - access: The access level of the action.
  ///   - fileID: The file of the caller, which identifies the closure in diagnostics.
  ///   - line: The line of the caller.
  ///   - column: The column of the caller.
  ///   - handler: A closure that runs on the main actor.
  /// - Returns: A token that removes the closure.
  @discardableResult
  public func registerAction<Parameters: Decodable & Sendable, Outcome: Sendable>(
    _ target: StaticString, _ action: StaticString, access: RouteAccess = .internal,
    fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    handler: @escaping @MainActor (Parameters) async throws -> Outcome
  ) -> RegistrationToken {
    add(ActionHandler(target, action, access, handler), "\(fileID):\(line):\(column)")
  }

  /// Registers a closure that performs an action without parameters.
  @discardableResult
  public func registerAction<Outcome: Sendable>(
    _ target: StaticString, _ action: StaticString, access: RouteAccess = .internal,
    fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    handler: @escaping @MainActor () async throws -> Outcome
  ) -> RegistrationToken {
    add(ActionHandler(target, action, access, handler), "\(fileID):\(line):\(column)")
  }

  private func add(_ handler: any ActionHandling, _ location: String) -> RegistrationToken {
    scan(reportsUnread: false)
    let (provenance, diagnostic) = state.withLock { state in
      let provenance = Provenance(location: location, image: nil, rank: state.nextRank())
      return (provenance, state.insert(handler, provenance))
    }
    if let diagnostic { log.report(diagnostic) }
    let name = ActionName(target: handler.target, action: handler.action, module: provenance.module)
    return token(of: provenance.rank, for: name, in: \.actions)
  }
}
