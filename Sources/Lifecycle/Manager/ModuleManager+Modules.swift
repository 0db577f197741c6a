public import Registry

extension ModuleManager {
  /// Adds a module at run time.
  ///
  /// If the manager is running, the module is set up and initialized immediately, unless a
  /// parameter delays that. A module that is registered during the start, or during another
  /// module's setup, is set up afterward. In both cases, a module that throws is reported and
  /// removed. The parameters have the same meaning as for `@ExportModule`.
  ///
  /// - Parameters:
  ///   - module: The type of a module that no image exports. The module has the type's name.
  ///   - level: The level of the module. Basic modules precede normal ones.
  ///   - priority: The priority among the modules that could be next; the highest comes first.
  ///   - after: The names of the modules that must precede this one.
  ///   - activation: The time at which the module is created.
  ///   - initialization: The time at which the module is initialized.
  ///   - replaysMissedPhases: A Boolean value that indicates whether the module receives the phase
  ///     events that it missed.
  ///   - fileID: The file of the caller, for reports.
  ///   - line: The line of the caller.
  /// - Returns: A token that removes the module and tears it down, like ``unregister(_:)``. If the
  ///   manager refuses the module, for example because it's a duplicate, or if the setup throws,
  ///   the problem is reported, and the token cancels nothing.
  @discardableResult
  public func register(
    _ module: any Module.Type, level: ModuleLevel = .normal, priority: Int = 0, after: [String] = [],
    activation: ModuleActivation = .atLaunch, initialization: ModuleInitialization = .inStart,
    replaysMissedPhases: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
  ) -> RegistrationToken {
    add(
      ModuleAttributes(
        module: recordName(of: module), level: level, priority: priority, after: after, activation: activation,
        initialization: initialization, replaysMissedPhases: replaysMissedPhases),
      .type(module, location: "\(fileID):\(line)"))
  }

  private func add(_ attributes: ModuleAttributes, _ source: ModuleEntry.Source) -> RegistrationToken {
    let entry = ModuleEntry(attributes: attributes, image: nil, source: source)
    if registry.insert(entry), runner.acceptsModules { runner.setUpPending() }
    return runner.token(for: entry)
  }

  /// Adds a module that follows other modules, given as types.
  ///
  /// - Parameters:
  ///   - module: The type of the module.
  ///   - level: The level of the module.
  ///   - priority: The priority among the modules that could be next.
  ///   - types: The types of the modules that must precede this one.
  ///   - activation: The time at which the module is created.
  ///   - initialization: The time at which the module is initialized.
  ///   - replaysMissedPhases: A Boolean value that indicates whether the module receives the phase
  ///     events that it missed.
  ///   - fileID: The file of the caller, for reports.
  ///   - line: The line of the caller.
  /// - Returns: A token that removes the module. It cancels nothing if the module was refused.
  @_disfavoredOverload  // An empty literal is an array of names.
  @discardableResult
  public func register(
    _ module: any Module.Type, level: ModuleLevel = .normal, priority: Int = 0, after types: [any Module.Type],
    activation: ModuleActivation = .atLaunch, initialization: ModuleInitialization = .inStart,
    replaysMissedPhases: Bool = false, fileID: StaticString = #fileID, line: UInt = #line
  ) -> RegistrationToken {
    var attributes = ModuleAttributes(
      module: recordName(of: module), level: level, priority: priority, activation: activation,
      initialization: initialization, replaysMissedPhases: replaysMissedPhases)
    attributes.follow(types)
    return add(attributes, .type(module, location: "\(fileID):\(line)"))
  }

  /// Adds a named module that a closure creates.
  ///
  /// Use this method for several modules of one class:
  ///
  /// ```swift
  /// for queue in ["orders", "invoices"] {
  ///   modules.register(named: queue) { QueueModule(queue) }
  /// }
  /// ```
  ///
  /// The name identifies the module. In the `after` of other modules, the name of the class refers
  /// to all its modules, and ``unregister(_:)`` removes all of them. A module whose `after` names
  /// its own class would wait for itself; list other modules of the class by their own names.
  ///
  /// - Parameters:
  ///   - name: The name of the module, which must be unique.
  ///   - level: The level of the module.
  ///   - priority: The priority among the modules that could be next.
  ///   - after: The names of the modules that must precede this one.
  ///   - activation: The time at which the module is created.
  ///   - initialization: The time at which the module is initialized.
  ///   - replaysMissedPhases: A Boolean value that indicates whether the module receives the phase
  ///     events that it missed.
  ///   - fileID: The file of the caller, for reports.
  ///   - line: The line of the caller.
  ///   - create: A closure that creates the module for each run of the manager. An error from the
  ///     closure has the same effect as one from a module's initializer.
  /// - Returns: A token that removes the module. It cancels nothing if the module was refused.
  @discardableResult
  public func register<M: Module>(
    named name: String, level: ModuleLevel = .normal, priority: Int = 0, after: [String] = [],
    activation: ModuleActivation = .atLaunch, initialization: ModuleInitialization = .inStart,
    replaysMissedPhases: Bool = false, fileID: StaticString = #fileID, line: UInt = #line,
    create: @escaping @MainActor () throws -> M
  ) -> RegistrationToken {
    add(
      ModuleAttributes(
        module: name, level: level, priority: priority, after: after, activation: activation,
        initialization: initialization, replaysMissedPhases: replaysMissedPhases),
      .type(M.self, location: "\(fileID):\(line)", make: create))
  }

  /// Selected for an instance instead of a type.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  @available(*, unavailable, message: "the manager creates the module; pass its type: 'register(CartModule.self)'")
  public func register(_ module: any Module) {}

  /// Selected for a closure without a name.
  @_documentation(visibility: internal) @_alwaysEmitIntoClient
  @available(*, unavailable, message: "pass a type, or name the closure: 'register(named: \"orders\") { … }'")
  public func register(_ make: () throws -> any Module) {}

  /// Adds a module by the name of its class without setting it up. Callers add several modules
  /// first so that the modules are set up in module order.
  package func add(_ attributes: ModuleAttributes, location: String?) -> Bool {
    registry.insert(ModuleEntry(attributes: attributes, image: nil, source: .named(location: location)))
  }

  /// Sets up the added modules if the manager is running. Returns false if the named module doesn't
  /// exist or could not be set up.
  package func setUp(named name: String) -> Bool {
    let name = name.recordForm
    guard runner.acceptsModules else { return registry.entries.any(named: name) != nil }
    runner.setUpPending()
    // If the setup failed, another module's type can still have the name.
    guard let entry = registry.entries.any(named: name), entry.name == name else { return false }
    return runner.isSettingUpPending || entry.state != .removed
  }

  /// Removes a module and tears it down. Events in progress no longer reach it.
  ///
  /// All modules of the type are removed, even if they were exported or registered under other
  /// names.
  ///
  /// - Returns: `true` if the module existed.
  @discardableResult
  public func unregister(_ module: any Module.Type) -> Bool {
    remove(registry.entries.all(named: recordName(of: module)).filter { $0.isModule(of: module, in: nil) })
  }

  /// Removes a module, given by its name, and tears it down.
  ///
  /// The name that `String(reflecting:)` returns for the type works too. If several modules share
  /// the name, all of them are removed.
  ///
  /// - Returns: `true` if the module existed.
  @discardableResult
  public func unregister(named name: String) -> Bool {
    let isRemoved = remove(registry.entries.described(by: name))
    #if DEBUG
    // Removing a module twice isn't a mistake, so don't report a name whose class exists.
    if !isRemoved, ClassLookup.type(named: name) == nil, let other = name.nearest(in: registry.entries.names) {
      context.log.report(
        .warning, .missing, name,
        "'unregister(named:)' removed nothing, because no module has this name; did you mean"
          + " \(other.quotedForDisplay())?")
    }
    #endif
    return isRemoved
  }

  private func remove(_ entries: [ModuleEntry]) -> Bool {
    var isRemoved = false
    // Modules that were registered during the run get their positions from the order.
    if entries.count > 1, entries.contains(where: { $0.state == .setUp && $0.position < 0 }) { _ = runner.order() }
    // Check each module again, because the teardown of one can remove another.
    for entry in entries.ordered(by: { $0.position > $1.position }) where registry.entries.contains(entry) {
      runner.unregister(entry)
      isRemoved = true
    }
    if isRemoved { runner.announceRemovals() }
    return isRemoved
  }

  // MARK: - Images

  /// Sets up the modules of newly loaded images, and removes the modules of unloaded images.
  ///
  /// `trigger` does the same before delivering an event. A module that throws is reported and
  /// removed. The method has no effect unless the manager is running.
  ///
  /// - Returns: The names of the modules that were set up, in setup order.
  @discardableResult
  public func scanImages() -> [String] { runner.scanAndSetUp() }

  // MARK: - Expectations

  /// Requires services to have implementations.
  ///
  /// ```swift
  /// modules.require(CartService.self, PaymentService.self)
  /// modules.require(modules: "Cart.CartModule")
  /// try modules.start()
  /// ```
  ///
  /// ``start(launch:)`` throws an error (`missing`) with possible reasons if a service has no
  /// usable implementation in ``Context/services`` after the modules are initialized. After the
  /// start, this method reports missing services. The check creates no service.
  public func require<each Service>(_ services: repeat (each Service).Type) {
    repeat require(each services, named: nil)
  }

  /// Requires a service to have an implementation with a name.
  public func require<Service>(_ service: Service.Type, named name: String?) {
    let absence: () -> Diagnostic? = { [services = context.permanentServices] in
      services.core.absence(of: service, named: name).map {
        Diagnostic(severity: .error, code: .missing, subject: recordName(of: service), image: nil, message: "\($0)")
      }
    }
    runner.expectedServices.append(absence)
    if runner.isRunning, let problem = absence() { report(problem) }
  }

  /// Requires a module, given by its type.
  @_alwaysEmitIntoClient
  public func require<M: Module>(_ module: M.Type) { require(modules: String(reflecting: module)) }

  /// Requires modules, given by their names.
  ///
  /// ``start(launch:)`` throws an error (`missing`) before it creates the first module if a module
  /// or its class is missing. Once the manager is starting, this method reports missing modules.
  public func require(modules names: String...) {
    let names = names.map(\.recordForm)
    runner.expectedModules += names
    if !runner.isIdle { for problem in names.compactMap(registry.absence) { report(problem) } }
  }

  /// Makes the start throw an error if a need is unmet.
  ///
  /// ```swift
  /// modules.requireAllNeeds()
  /// try modules.start()
  /// ```
  ///
  /// Code states its needs with `@Service` and `#needs`. Without this call, a manager that reads
  /// records reports each unmet need (`unmet-need`) after the initialization, and starts anyway.
  /// With this call, the start throws an error, and the modules of a plug-in with an unmet need are
  /// not set up until the need is met.
  ///
  /// - Parameter afterInitialize: A Boolean value that indicates whether needs are checked after
  ///   the initialization, so that modules can register services first. By default, needs are
  ///   checked before the first module is created, so that no module can use a missing service.
  public func requireAllNeeds(afterInitialize: Bool = false) {
    runner.needs.policy = afterInitialize ? .throwAfterInitialize : .throwBeforeSetUp
    #if DEBUG
    let isLate = afterInitialize ? hasFinishedStarting : isStarted
    if isLate, let need = runner.unmetNeed {
      report(
        Diagnostic(
          severity: .warning, code: .unmetNeed, subject: need.subject, image: need.image,
          message: "'requireAllNeeds()' was called after the start began, so this unmet need did not stop it; call it"
            + " before 'start()' or 'run()'"))
    }
    #endif
  }
}
