import Registry
import TestSupport

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

/// Registers many implementations of one protocol one by one, without names and with names.
func oneService(_ meter: Meter) throws {
  let problems = DiagnosticCollector()
  let services = ServiceManager(onDiagnostic: problems.handler)
  meter.phase("registered without names") {
    for _ in 0..<meter.size { services.register((any Answering).self) { Exported() } }
  }
  require(!problems[.tie].isEmpty, "the tie is not reported")
  require(try services.createServices(for: (any Answering).self).count == meter.size, "some are missing")

  let named = ServiceManager { _ in }
  let names = (0..<meter.size).map(String.init)
  meter.phase("registered with names") {
    for name in names { named.register((any Answering).self, named: name) { Exported() } }
  }
  try meter.phase("looked up by name") {
    for name in names { _ = try named.createService(for: (any Answering).self, named: name) }
  }
  meter.phase("removed by name") {
    for name in names { require(named.unregister((any Answering).self, named: name), "\(name) is missing") }
  }
}
