import Registry
import TestSupport

private struct Register: ServiceAction {
  let services: ServiceManager

  func callAsFunction<S: Sendable>(_ type: S.Type, make: @escaping @Sendable () -> S) {
    services.register(type, scope: .shared, factory: make)
  }
}

private struct LookUp: ServiceAction {
  let services: ServiceManager
  let isThere: Bool

  func callAsFunction<S: Sendable>(_ type: S.Type, make: @escaping @Sendable () -> S) {
    do {
      _ = try services.createService(for: type)
      require(isThere, "\(type) is there")
    } catch {
      require(!isThere, "\(error)")
    }
  }
}

private struct Remove: ServiceAction {
  let services: ServiceManager

  func callAsFunction<S: Sendable>(_ type: S.Type, make: @escaping @Sendable () -> S) {
    require(services.unregister(type), "\(type) is not there")
  }
}

/// Registers, looks up, and removes many service types one by one.
func manyServices(_ meter: Meter) {
  let services = ServiceManager { _ in }
  let all = 0..<meter.size
  // The runtime creates a type on first use, which must not count.
  meter.phase("the types alone") {
    for number in all { withServiceType(number, LookUp(services: ServiceManager { _ in }, isThere: false)) }
  }
  meter.phase("registered") { for number in all { withServiceType(number, Register(services: services)) } }
  meter.phase("made") { for number in all { withServiceType(number, LookUp(services: services, isThere: true)) } }
  meter.phase("looked up again") {
    for number in all { withServiceType(number, LookUp(services: services, isThere: true)) }
  }
  meter.phase("1,000 removed") { for number in 0..<1_000 { withServiceType(number, Remove(services: services)) } }
  meter.phase("1,000 misses") {
    for number in 0..<1_000 { withServiceType(number, LookUp(services: services, isThere: false)) }
  }
}

/// Looks up many new types in an empty manager.
func misses(_ meter: Meter) {
  let services = ServiceManager { _ in }
  meter.phase("missed") {
    for number in 0..<meter.size { withServiceType(number, LookUp(services: services, isThere: false)) }
  }
}

/// Registers many implementations of one protocol one by one.
func oneService(_ meter: Meter) throws {
  let problems = DiagnosticCollector()
  let services = ServiceManager(onDiagnostic: problems.handler)
  meter.phase("registered without names") {
    for _ in 0..<meter.size { services.register((any Answering).self) { Exported() } }
  }
  require(!problems[.tie].isEmpty, "the tie is not reported")
  require(try services.createServices(for: (any Answering).self).count == meter.size, "some are missing")

  let named = ServiceManager { _ in }
  meter.phase("registered with names") {
    for index in 0..<meter.size { named.register((any Answering).self, named: "\(index)") { Exported() } }
  }
  try meter.phase("looked up by name") {
    for index in 0..<meter.size { _ = try named.createService(for: (any Answering).self, named: "\(index)") }
  }
  meter.phase("removed by name") {
    for index in 0..<meter.size {
      require(named.unregister((any Answering).self, named: "\(index)"), "\(index) is missing")
    }
  }
  require(!named.contains((any Answering).self, named: "0"), "one is left")
}
