extension ServiceManager {
  /// Returns a service from outside the strict test scope, or nil if it can't be created.
  func liveService<Service>(_ name: String?, _ mustBeSendable: Bool) -> Service? {
    let scope = TaskScope(in: core, [], allowing: Set(of: CollectionOfOne(GroupKey(Service.self))))
    return TaskScope.$current.withValue(scope) { try? create(Service.self, name, mustBeSendable) }
  }
}
