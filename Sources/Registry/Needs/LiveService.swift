extension ServiceManager {
  /// Returns a service as if the test scope allowed the live one, or nil if it cannot be created.
  func liveService<Service>(_ type: Service.Type, named name: String?) -> Service? {
    let scope = TaskScope(overriding: core, [], allowing: [ObjectIdentifier(type)])
    return TaskScope.$current.withValue(scope) { try? createService(for: type, named: name) }
  }
}
