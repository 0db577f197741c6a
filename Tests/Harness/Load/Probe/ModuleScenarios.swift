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
  /// Each module names the previous one, and the first names the last.
  case circle

  func after(_ number: Int, of names: [String]) -> [String] {
    switch self {
    case .none: return []
    case .chain: return number == 0 ? [] : [names[number - 1]]
    case .wide: return number == 0 ? [] : number == names.count - 1 ? Array(names.dropLast()) : [names[0]]
    case .unknown: return [names[number] + "s"]
    case .circle: return [names[(number + names.count - 1) % names.count]]
    }
  }
}

/// Registers and starts modules, sends them an event, and unregisters them.
@MainActor func modules(_ meter: Meter, _ ties: Ties) throws {
  // The runtime creates a type and its name on first use, which must not count.
  let types = (0..<meter.size).map { moduleType($0) }
  let names = types.map { recordName(of: $0) }
  let problems = DiagnosticCollector()
  let manager = ModuleManager(onDiagnostic: problems.handler)
  meter.phase("registered") {
    for (number, type) in types.enumerated() {
      require(manager.register(type, after: ties.after(number, of: names)), "\(type) is refused")
    }
  }
  if ties == .circle {
    meter.phase("start, which says that there is a circle") {
      do {
        try manager.start()
        require(false, "it started")
      } catch {
        guard case ModuleError.cycle(let path) = error else { return require(false, "\(error)") }
        require(path.count == meter.size + 1, "\(path.count) names are in the circle")
      }
    }
    return
  }
  try meter.phase("start") { try manager.start() }
  require(Tally.setUps == meter.size, "\(Tally.setUps) are set up")
  require(problems.diagnostics.count == (ties == .unknown ? meter.size : 0), "\(problems.diagnostics.count) problems")
  if ties == .chain { require(manager.modules == names, "they are not in order") }
  meter.phase("first event") { require(manager.trigger(.load, 1), "no handler answered") }
  meter.phase("10 more events") { for _ in 0..<10 { manager.trigger(.load, 1) } }
  require(Tally.calls == 11 * meter.size, "\(Tally.calls) calls")
  meter.phase("unregistered one by one") {
    for type in types { require(manager.unregister(type), "\(type) is missing") }
  }
  require(Tally.tearDowns == meter.size && manager.modules.isEmpty, "\(Tally.tearDowns) are torn down")
}

/// Registers modules one by one after the manager has started.
@MainActor func lateModules(_ meter: Meter, _ ties: Ties) throws {
  let types = (0..<meter.size).map { moduleType($0) }
  let names = types.map { recordName(of: $0) }
  let problems = DiagnosticCollector()
  let manager = ModuleManager(onDiagnostic: problems.handler)
  try manager.start()
  meter.phase("registered after the start") {
    for (number, type) in types.enumerated() {
      let isLast = number == meter.size - 1
      let isSetUp = manager.register(type, after: ties.after(number, of: names))
      require(isSetUp != (ties == .circle && isLast), "\(type): \(isSetUp)")
    }
  }
  let expected = ties == .circle ? meter.size - 1 : meter.size
  require(Tally.setUps == expected, "\(Tally.setUps) are set up")
  meter.phase("first event") { require(manager.trigger(.load, 1), "no handler answered") }
  require(Tally.calls == expected, "\(Tally.calls) calls")
  require(ties != .circle || problems[.cycle].count == 1, "\(problems[.cycle].count) circles")
}

/// Sends an event to one module with many handlers.
@MainActor func handlers(_ meter: Meter) throws {
  Crowd.size = meter.size
  let manager = ModuleManager(modules: [Crowd.self])
  try manager.start()
  meter.phase("first event") { require(manager.trigger(.crowd, 1), "no handler answered") }
  meter.phase("10 more events") { for _ in 0..<10 { manager.trigger(.crowd, 1) } }
  require(Tally.calls == 11 * meter.size, "\(Tally.calls) calls")
}
