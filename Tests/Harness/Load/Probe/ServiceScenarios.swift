import Registry

/// Registers, looks up, and removes many service types one by one.
func manyServices(_ meter: Meter) {
  let services = ServiceManager { _ in }
  // The runtime creates a type on first use, which must not count.
  let types = meter.phase("the types alone") { (0..<meter.size).map(serviceType) }
  func register<S: NumberedService>(_ type: S.Type) { services.register(type, scope: .shared) { S() } }
  func unregister<S: NumberedService>(_ type: S.Type) { require(services.unregister(type), "\(type) is missing") }
  func find<S: NumberedService>(_ type: S.Type) -> Bool { (try? services.createService(for: type)) != nil }
  meter.phase("not found") { for type in types { require(!find(type), "\(type) is there") } }
  meter.phase("registered") { for type in types { register(type) } }
  meter.phase("created") { for type in types { require(find(type), "\(type) is missing") } }
  meter.phase("looked up again") { for type in types { require(find(type), "\(type) is missing") } }
  meter.phase("1,000 removed") { for type in types.prefix(1_000) { unregister(type) } }
  meter.phase("1,000 not found") { for type in types.prefix(1_000) { require(!find(type), "\(type) is there") } }
}
