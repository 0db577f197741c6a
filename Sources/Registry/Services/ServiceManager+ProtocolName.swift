extension ServiceManager {
  /// The implementation of a protocol that is known by its name alone, as records spell it: `ShopAPI.Clock`, or `Clock` if it is
  /// Objective-C's.
  ///
  /// As ``createService(for:named:)``, some microseconds slower.
  package func createService(protocolNamed service: String, named name: String? = nil) throws(ServiceError) -> Any {
    guard let type = ClassLookup.existential(named: service) ?? ClassLookup.type(named: service) else {
      throw .notFound(
        service: service, named: name, available: [], images: [], nearest: service.nearest(in: knownServices))
    }
    return try createOpened(type, name)
  }

  /// Called with a type that is known at run time, which the parameter stands for then.
  private func createOpened<Service>(_ type: Service.Type, _ name: String?) throws(ServiceError) -> Any {
    try createService(for: type, named: name)
  }
}
