public import Registry

extension Router {
  /// Performs an action by its names, for callers that cannot name a type: scripts, remote configuration.
  ///
  /// ```swift
  /// let receipt = try await router.perform("orders", "show", ["id": 7])
  /// ```
  ///
  /// Only what is exported can be performed, ``exportAction(_:_:access:handler:)``. Interceptors are for routes and are not asked.
  ///
  /// - Parameters:
  ///   - parameters: What the action's parameters are decoded from. Texts will do for numbers and Booleans.
  ///   - module: The module that exports it, if several do; never a part of the parameters.
  ///   - origin: `.remote` reaches nothing but actions that say `access: .remote`.
  /// - Returns: What it returns; `()` if that is nothing.
  /// - Throws: ``RouteError``, and what the action throws, as it is.
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

  /// Performs an action that returns something.
  ///
  /// - Throws: ``RouteError``, also if it returns something of another type, and what the action throws, as it is.
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
    // To those outside, what they may not perform is not there.
    throw .actionNotFound(
      target: target, action: action, module: module, nearest: origin == .local ? nearest(target, action) : nil)
  }

  /// What was meant by names that no action has, and the module if they are another one's.
  private func nearest(_ target: String, _ action: String) -> String? {
    let (all, modules) = state.withLock { state in
      (state.actions.keys.map { "\($0.target).\($0.action)" }, state.modules(with: action, of: target))
    }
    let name = "\(target).\(action)"
    if !modules.isEmpty { return "\(name) in \(modules.joined(separator: ", "))" }
    return name.nearest(in: all)
  }

  // MARK: - At run time

  /// Performs an action with a closure from now on.
  ///
  /// An action of these names that the module has already is reported (`duplicate`), and the closure waits for that one to go.
  ///
  /// - Returns: What ends it; it goes on if that is let go of.
  @preconcurrency @discardableResult
  public func registerAction<Parameters: Decodable & Sendable, Outcome: Sendable>(
    _ target: StaticString, _ action: StaticString, access: RouteAccess = .internal,
    fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    handler: @escaping @MainActor (Parameters) async throws -> Outcome
  ) -> RegistrationToken {
    add(ActionHandler(target, action, access, handler), "\(fileID):\(line):\(column)")
  }

  /// Performs an action that has no parameters with a closure from now on.
  @preconcurrency @discardableResult
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
