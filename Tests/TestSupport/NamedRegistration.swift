package import Lifecycle
package import Registry

extension ServiceManager {
  /// Registers a class by name, as an entry of a manifest does, at the location of the call.
  @discardableResult
  package func register(
    service: String, class implementation: String, scope: ServiceScope = .transient, named name: String? = nil,
    priority: Int = 0, fileID: StaticString = #fileID, line: UInt = #line
  ) -> RegistrationToken {
    register(
      service: service, class: implementation, scope: scope, named: name, priority: priority,
      location: "\(fileID):\(line)")
  }
}

extension ModuleManager {
  /// Adds a module by the name of its class, as an entry of a manifest does, at the location of the
  /// call.
  ///
  /// - Returns: `true` if the module was added and, if the manager runs, set up.
  @discardableResult
  package func register(
    named name: String, level: ModuleLevel = .normal, priority: Int = 0, after: [String] = [],
    activation: ModuleActivation = .atLaunch, fileID: StaticString = #fileID, line: UInt = #line
  ) -> Bool {
    let attributes = ModuleAttributes(
      module: name, level: level, priority: priority, after: after, activation: activation)
    return add(attributes, location: "\(fileID):\(line)") && setUp(named: name)
  }
}
