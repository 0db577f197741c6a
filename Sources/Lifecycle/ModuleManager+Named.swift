package import Registry

extension ModuleManager {
  /// Adds a module by the name of its class, `"Cart.CartModule"`, as records written in C name it.
  ///
  /// For what is listed in a file; whoever knows the type passes it (``register(_:level:priority:after:)``), so that the compiler
  /// checks it. The image with the class must be open. Once the manager is started the module is set up and initialised at once.
  ///
  /// - Returns: Whether it was added, and set up if the manager is started. If not, the reason is reported: no such class
  ///   (``Diagnostic/Code/unknownClass``), one that is no module (``Diagnostic/Code/notConforming``), a module of that name that is there
  ///   already (``Diagnostic/Code/duplicate``), or what its set-up threw.
  @discardableResult
  public func register(
    named name: String, level: ModuleLevel = .normal, priority: Int = 0, after: [String] = []
  ) -> Bool {
    guard add(named: name, level: level, priority: priority, after: after) else { return false }
    return bringUp(named: name)
  }

  /// The same without setting it up: several that come together are set up in their order.
  package func add(named name: String, level: ModuleLevel, priority: Int, after: [String]) -> Bool {
    insert(
      ModuleEntry(
        attributes: ModuleAttributes(module: name, level: level, priority: priority, after: after), image: nil,
        source: .named))
  }

  /// Sets up what was added, if the manager is started; false if the module of that name did not come through it.
  package func bringUp(named name: String) -> Bool {
    guard state == .running else { return entries[name] != nil }
    bringUpNewcomers()
    guard let entry = entries[name] else { return false }
    return isBringingUp || entry.state != .gone
  }

  /// The names of all modules that the manager knows, those included that are not set up, after a look for images.
  package var knownModules: [String] {
    look()
    return Array(entries.keys)
  }

  /// Reports what somebody else found out about what is to be this manager's.
  package func report(_ diagnostic: Diagnostic) { log.report(diagnostic, always: true) }
}
