import Elsewhere
import Measuring
import Registry

/// The shared manager with a thousand shared services, including those that loops look up.
@MainActor enum SharedServices {
  /// The types of the services that no loop looks up, or nil before they are registered.
  private static var types: [ObjectIdentifier]?

  /// Registers the services once, and returns the types of those that no loop looks up.
  @discardableResult static func prepare() throws -> [ObjectIdentifier] {
    if let types { return types }
    let manager = ServiceManager.shared
    manager.register((any OtherAdder).self, scope: .shared) { StepAdder() }
    manager.register((any Letter).self) { SmallParcel() }
    let made = try registerBystanders(998, in: manager)
    _ = try manager.createService(for: (any Adder).self)
    _ = try manager.createService(for: (any OtherAdder).self)
    types = made
    return made
  }
}

/// Returns the checksum of a loop that performs a number of lookups.
func sum(_ count: Int) -> Int { StepAdder.step * count }

@MainActor let sharedServiceBenchmarks =
  [
    Benchmark("service.shared") { name, effort in
      try SharedServices.prepare()
      return try effort.compare(name, goal: .ratio(1.3), checksum: sum, ours: lookUpShared, baseline: readConstant)
    },
    // The baseline is a lookup by `createService`.
    Benchmark("service.injected") { name, effort in
      try SharedServices.prepare()
      return try effort.compare(name, goal: .ratio(1.1), checksum: sum, ours: readInjected, baseline: lookUpShared)
    },
    Benchmark("service.shared.main") { name, effort in
      try SharedServices.prepare()
      return try effort.compare(
        name, goal: .ratio(1.3), checksum: sum, ours: { try lookUpSharedOnMain($0) },
        baseline: { readConstantOnMain($0) })
    },
    // Each lookup is a separate function call, and so is each read in the baseline.
    Benchmark("service.shared.single") { name, effort in
      try SharedServices.prepare()
      return try effort.compare(name, checksum: sum, ours: lookUpSingly, baseline: readConstantSingly)
    },
    // The baseline is a constant of the same module, which is borrowed and not retained.
    Benchmark("service.shared.borrowed") { name, effort in
      try SharedServices.prepare()
      return try effort.compare(name, checksum: sum, ours: lookUpShared, baseline: readOwnConstant)
    },
    Benchmark("service.shared.dictionary") { name, effort in
      let others = try SharedServices.prepare()
      var table: [ObjectIdentifier: any Adder] = [:]
      for type in others { table[type] = StepAdder() }
      table[ObjectIdentifier((any OtherAdder).self)] = StepAdder()
      table[ObjectIdentifier((any Adder).self)] = StepAdder()
      guard table.count == 1_000 else { throw WrongChecksum(expected: 1_000, found: table.count) }
      return try effort.compare(
        name, goal: .ratio(0.5), checksum: sum, ours: lookUpShared, baseline: { [table] in readTable($0, table) })
    },
  ] + [10, 100, 1_000].map(growth)

@inline(never) private func readTable(_ count: Int, _ table: [ObjectIdentifier: any Adder]) -> Int {
  var sum = 0
  for _ in 0..<count { sum = table[ObjectIdentifier((any Adder).self)]!.add(sum) }
  return sum
}

/// Creates a benchmark that compares a manager that has a number of services with one that has ten.
private func growth(_ services: Int) -> Benchmark {
  Benchmark("service.shared.\(services)") { name, effort in
    let managers = try [services, 10].map { services in
      let manager = ServiceManager()
      try registerBystanders(services - 1, in: manager)
      manager.register((any Adder).self, scope: .shared) { StepAdder() }
      return manager
    }
    return try effort.compare(
      name, checksum: sum, ours: { try lookUp($0, in: managers[0]) }, baseline: { try lookUp($0, in: managers[1]) })
  }
}
