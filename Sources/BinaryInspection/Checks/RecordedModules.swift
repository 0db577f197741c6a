import Lifecycle
import Registry

/// The start order of recorded modules, and the diagnostics that an app would report for them. The
/// properties refer to modules by index.
@MainActor struct RecordedModules {
  /// The diagnostics other than cycles, each with the module that it's about.
  private(set) var diagnostics: [(module: Int, diagnostic: Diagnostic)] = []
  /// The modules in start order, without duplicates and without modules that are part of a cycle or
  /// follow one.
  let order: [Int]
  /// The modules of each cycle, with the first module repeated at the end.
  let cycles: [(modules: [Int], message: String)]
  /// The number of unknown names that can still get suggestions.
  let hints: Int

  private let registry: ModuleRegistry
  private var entries: [ModuleEntry] = []

  /// Computes the start order of modules given in load order. `exporter` is the subject in messages
  /// such as "no file exports it".
  init(_ modules: [RecordedModule], hints: Int, exporter: StaticString = "file") {
    let received = Received()
    let log = DiagnosticLog { diagnostic in MainActor.assumeIsolated { received.diagnostics.append(diagnostic) } }
    registry = ModuleRegistry(log: log, unknownNames: UnknownNames(hints: hints, exporter: exporter))
    for (index, module) in modules.enumerated() {
      let image = LoadedImage(path: module.image, serial: UInt64(index), batch: 0)
      let entry = ModuleEntry(module, image)
      entries.append(entry)
      _ = registry.insert(entry)
    }
    let computed = registry.computeOrder(removesCycles: true)
    order = computed.modules.map(Self.index)
    // Omit the images, so that the message is the same in each process with the cycle.
    cycles = computed.cycles.map { cycle in
      let path = cycle.map { CycleStep(subject: $0.name, image: nil) }
      return (cycle.map(Self.index), ModuleError.cycle(path).text())
    }
    self.hints = computed.unknownNames.hints
    diagnostics = received.diagnostics.map { (Int($0.image?.serial ?? 0), $0) }
  }

  /// The modules that are part of a cycle or follow one.
  var unordered: [Int] {
    let ordered = Set(of: order)
    return registry.entries.all.map(Self.index).filter { !ordered.contains($0) }
  }

  func modules(named name: String, after module: Int) -> [Int] {
    registry.entries.all(named: name).filter { entries[module].refers(to: $0, by: name) }.map(Self.index)
  }

  private static func index(_ entry: ModuleEntry) -> Int { Int(entry.image?.serial ?? 0) }

  @MainActor private final class Received {
    var diagnostics: [Diagnostic] = []
  }
}
