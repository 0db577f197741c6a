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
