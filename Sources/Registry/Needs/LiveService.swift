extension ServiceManager {
  /// Returns the strict test scope's instance of a live service, or nil if it can't be created.
  func liveService<Service>(_ name: String?, _ mustBeSendable: Bool) -> Service? {
    let scope = TaskScope(in: core, [], allowing: Set(of: CollectionOfOne(GroupKey(Service.self))))
    return TaskScope.$current.withValue(scope) { try? create(Service.self, name, mustBeSendable) }
  }
}
