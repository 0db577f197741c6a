import Lifecycle
import Registry

/// The order of modules whose records a tool has read, and the diagnostics that an app reports for
/// them.
///
/// A module is identified by its index among all of them.
@MainActor struct RecordedModules {
  /// The diagnostics, each with the module that it is about. Problems of cycles are not included.
  private(set) var diagnostics: [(module: Int, diagnostic: Diagnostic)] = []
  /// The modules in start order.
  ///
  /// It lacks duplicates, and modules that are part of a cycle or wait for one.
  let order: [Int]
  /// The modules of each cycle, with the first one repeated at the end.
  let cycles: [(modules: [Int], message: String)]
  /// The number of unknown names that are still compared with all other names, for a hint.
  let hints: Int

  private let registry: ModuleRegistry
  private let entries: [ModuleEntry]

  /// Orders modules.
  ///
  /// - Parameters:
  ///   - modules: The modules in load order.
  ///   - hints: The number of unknown names that are compared with all other names, for a hint.
  ///   - exporter: The word for what exports modules.
  init(_ modules: [RecordedModule], hints: Int, exporter: StaticString = "file") {
    let received = Received()
    let log = DiagnosticLog { diagnostic in MainActor.assumeIsolated { received.diagnostics.append(diagnostic) } }
    registry = ModuleRegistry(log: log, unknownNames: UnknownNames(hints: hints, exporter: exporter))
    var entries: [ModuleEntry] = []
    for (index, module) in modules.enumerated() {
      let image = LoadedImage(path: module.image, serial: UInt64(index), batch: 0)
      let entry = ModuleEntry(module, image)
      entries.append(entry)
      _ = registry.insert(entry)
    }
    self.entries = entries
    let computed = registry.computeOrder(removesCycles: true)
    order = computed.modules.map(Self.index)
    // The images are left out, because the same cycle can be in several processes of the tool.
    cycles = computed.cycles.map { cycle in
      let path = cycle.map { CycleStep(subject: $0.name, image: nil) }
      return (cycle.map(Self.index), ModuleError(.cycle(path: path)).text())
    }
    self.hints = computed.unknownNames.hints
    diagnostics = received.diagnostics.map { (Int($0.image?.serial ?? 0), $0) }
  }

  /// The modules that are part of a cycle or wait for one.
  var unordered: [Int] {
    let ordered = Set(of: order)
    return registry.entries.all.map(Self.index).filter { !ordered.contains($0) }
  }

  /// Returns the modules that a name in `after` refers to.
  func modules(named name: String, after module: Int) -> [Int] {
    registry.entries.all(named: name).filter { entries[module].refers(to: $0, by: name) }.map(Self.index)
  }

  private static func index(_ entry: ModuleEntry) -> Int { Int(entry.image?.serial ?? 0) }

  /// The diagnostics that the handler of the log has received.
  @MainActor private final class Received {
    var diagnostics: [Diagnostic] = []
  }
}
