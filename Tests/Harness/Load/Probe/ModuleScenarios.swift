import Lifecycle
import Registry
import TestSupport

/// A pattern of the names that modules start after.
enum Ties: String, CaseIterable {
  case none
  /// Each module names the previous one.
  case chain
  /// All modules name the first one, and the last module names all others.
  case wide
  /// Each module names an unknown module.
  case unknown
  /// Each module names the previous one, and the first one names the last.
  case cycle

  func after(_ number: Int, of names: [String]) -> [String] {
    switch self {
    case .none: return []
    case .chain: return number == 0 ? [] : [names[number - 1]]
    case .wide: return number == 0 ? [] : number == names.count - 1 ? Array(names.dropLast()) : [names[0]]
    case .unknown: return [names[number] + "s"]
    case .cycle: return [names[(number + names.count - 1) % names.count]]
    }
  }
}

/// Registers and starts modules, or registers them one by one after the start. Then sends them
/// events, and unregisters them.
@MainActor func modules(_ meter: Meter, _ ties: Ties, isLate: Bool) throws {
  // The runtime creates a type and its name on first use, which must not count.
  let types = (0..<meter.size).map(moduleType)
  let names = types.map { recordName(of: $0) }
  let problems = DiagnosticCollector()
  let manager = ModuleManager(onDiagnostic: problems.handler)
  if isLate { try manager.start() }
  let hasCycle = ties == .cycle
  meter.phase("registered") {
    for (number, type) in types.enumerated() {
      // After the start, the last module completes the cycle.
      let isRefused = hasCycle && isLate && number == meter.size - 1
      manager.register(type, after: ties.after(number, of: names))
      if isLate { require((Tally.setUps == number + 1) != isRefused, "\(type)") }
    }
  }
  if hasCycle {
    if !isLate {
      meter.phase("start, which reports the cycle") {
        require((try? manager.start()) == nil && Tally.setUps == 0, "it started")
      }
    }
    return require(!isLate || problems[.cycle].count == 1, "\(problems[.cycle].count) cycles")
  }
  if !isLate { try meter.phase("start") { try manager.start() } }
  require(Tally.setUps == meter.size, "\(Tally.setUps) are set up")
  require(problems.diagnostics.isEmpty != (ties == .unknown), "\(problems.diagnostics.count) problems")
  if ties == .chain { require(manager.moduleNames == names, "they are not in order") }
  meter.phase("first event") { require(manager.trigger(.load, 1), "no handler answered") }
  meter.phase("10 more events") { for _ in 0..<10 { manager.trigger(.load, 1) } }
  require(Tally.calls == 11 * meter.size, "\(Tally.calls) calls")
  meter.phase("unregistered one by one") {
    for type in types { require(manager.unregister(type), "\(type) is missing") }
  }
  require(Tally.tearDowns == meter.size && manager.moduleNames.isEmpty, "\(Tally.tearDowns) are torn down")
}

/// Sends an event to one module with many handlers.
@MainActor func handlers(_ meter: Meter) throws {
  Crowd.size = meter.size
  let manager = ModuleManager(modules: [Crowd.self])
  try manager.start()
  meter.phase("first event") { require(manager.trigger(.load, 1), "no handler answered") }
  meter.phase("10 more events") { for _ in 0..<10 { manager.trigger(.load, 1) } }
  require(Tally.calls == 11 * meter.size, "\(Tally.calls) calls")
}
