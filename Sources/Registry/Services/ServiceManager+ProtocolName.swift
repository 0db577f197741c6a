extension ServiceManager {
  /// Returns the preferred implementation of a protocol that only its name identifies.
  ///
  /// The method behaves like ``createService(for:named:)``, and takes a few microseconds longer.
  ///
  /// - Parameters:
  ///   - service: The name of the protocol, as records spell it: `ShopAPI.Clock`, or `Clock` for a
  ///     protocol of Objective-C.
  ///   - name: The name that the implementation is exported or registered under.
  package func createService(protocolNamed service: String, named name: String? = nil) throws(ServiceError) -> Any {
    guard let type = ClassLookup.existential(named: service) ?? ClassLookup.type(named: service) else {
      let nearest = service.nearest(in: knownServices)
      let images = core.lineage.flatMap { $0.current.state.withLock { $0.imageNames() } }
      throw .notFound(
        service: service, named: name, available: [], images: readsImages ? Set(of: images).ordered(by: <) : nil,
        nearest: nearest)
    }
    return try createOpened(type, name)
  }

  /// Binds a type that is known only at run time to the generic parameter of a lookup.
  private func createOpened<Service>(_ type: Service.Type, _ name: String?) throws(ServiceError) -> Any {
    try createService(for: type, named: name)
  }
}
