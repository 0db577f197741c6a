package import Registry

extension ModuleManager {
  /// Adds a module by the name of its class, `"Cart.CartModule"`, as records written in C name it.
  ///
  /// For what is listed in a file; whoever knows the type passes it, so that the compiler checks it
  /// (``register(_:level:priority:after:activation:initialization:replaysMissedPhases:)``). The image with the class must be open. Once the manager is started the module is set up and initialised at once.
  ///
  /// - Returns: Whether it was added, and set up if the manager is started. If not, the reason is reported: no such class
  ///   (``Diagnostic/Code/unknownClass``), one that is no module (``Diagnostic/Code/notConforming``), a module of that name that is there
  ///   already (``Diagnostic/Code/duplicate``), or what its set-up threw.
  @discardableResult
  public func register(
    named name: String, level: ModuleLevel = .normal, priority: Int = 0, after: [String] = [],
    activation: ModuleActivation = .atLaunch, initialization: ModuleInitialization = .inStart,
    replaysMissedPhases: Bool = false
  ) -> Bool {
    let isNew = add(
      named: name, level: level, priority: priority, after: after, activation: activation,
      initialization: initialization, replaysMissedPhases: replaysMissedPhases)
    return isNew && bringUp(named: name)
  }

  /// The same without setting it up: several that come together are set up in their order.
  package func add(
    named name: String, level: ModuleLevel, priority: Int, after: [String], activation: ModuleActivation,
    initialization: ModuleInitialization, replaysMissedPhases: Bool
  ) -> Bool {
    var attributes = ModuleAttributes(module: name, level: level, priority: priority, after: after)
    attributes.activation = activation
    attributes.initialization = initialization
    attributes.replaysMissedPhases = replaysMissedPhases
    return insert(ModuleEntry(attributes: attributes, image: nil, source: .named))
  }

  /// Sets up what was added, if the manager is started; false if the module of that name did not come through it.
  package func bringUp(named name: String) -> Bool {
    guard takesNewcomers else { return entries.any(named: name) != nil }
    bringUpNewcomers()
    guard let entry = entries.any(named: name) else { return false }
    return isBringingUp || entry.state != .gone
  }

  /// The names of all modules that the manager knows, those included that are not set up, after a look for images.
  package var knownModules: [String] {
    look()
    return Array(entries.names)
  }

  /// Reports what somebody else found out about what is to be this manager's.
  package func report(_ diagnostic: Diagnostic) { log.report(diagnostic, always: true) }
}
