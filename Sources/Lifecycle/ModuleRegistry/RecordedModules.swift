package import Registry

/// A module whose record a tool has read from a file.
///
/// The tool calls no accessors, so the file has to identify the type.
package struct RecordedModule {
  package var attributes: ModuleAttributes
  /// The name of the image in messages.
  package var image = ""
  /// The number of the image.
  ///
  /// Two records with accessors and the same name are two private types in one image. In two
  /// images, they are one type that was linked twice.
  package var imageNumber = 0
  package var hasAccessor = true
  /// The runtime's name of the type, or nil if the record contains that name.
  package var alias: String?
  /// The source file of the record, or nil if it is unknown.
  package var file: Substring?
  /// The source files of the types that names in `after` stand for; no entry for a name that was
  /// given as text.
  package var precedingFiles: [String: Set<Substring?>] = [:]

  package init(_ attributes: ModuleAttributes) {
    self.attributes = attributes
  }

  func isSame(as other: RecordedModule) -> Bool {
    attributes.module == other.attributes.module
      && !(hasAccessor && other.hasAccessor && imageNumber == other.imageNumber)
  }
}

/// The order of modules whose records a tool has read, and the diagnostics that an app reports for
/// them.
///
/// A module is identified by its index among all of them.
@MainActor package struct RecordedModules {
  /// The diagnostics, each with the module that it is about. Problems of cycles are not included.
  package private(set) var diagnostics: [(module: Int, diagnostic: Diagnostic)] = []
  /// The modules in start order.
  ///
  /// It lacks duplicates, and modules that are part of a cycle or wait for one.
  package let order: [Int]
  /// The modules of each cycle, with the first one repeated at the end.
  package let cycles: [(modules: [Int], message: String)]
  /// The number of unknown names that are still compared with all other names, for a hint.
  package let hints: Int

  private let registry: ModuleRegistry
  private let entries: [ModuleEntry]

  /// Orders modules.
  ///
  /// - Parameters:
  ///   - modules: The modules in load order.
  ///   - hints: The number of unknown names that are compared with all other names, for a hint.
  package init(_ modules: [RecordedModule], hints: Int) {
    let received = Received()
    let log = DiagnosticLog { diagnostic in MainActor.assumeIsolated { received.diagnostics.append(diagnostic) } }
    registry = ModuleRegistry(log: log, unknownNames: UnknownNames(hints: hints, exporter: "file"))
    var entries: [ModuleEntry] = []
    for (index, module) in modules.enumerated() {
      let image = LoadedImage(path: module.image, serial: UInt64(index), batch: 0)
      let entry = ModuleEntry(attributes: module.attributes, image: image, source: .recorded(module))
      entries.append(entry)
      _ = registry.insert(entry)
    }
    self.entries = entries
    let computed = registry.computeOrder(removesCycles: true)
    order = computed.modules.map(Self.index)
    // The images are left out, because the same cycle can be in several processes of the tool.
    cycles = computed.cycles.map { cycle in
      let path = cycle.map { CycleStep(subject: $0.name, image: nil) }
      return (cycle.map(Self.index), ModuleError.cycle(path: path).text())
    }
    self.hints = computed.unknownNames.hints
    diagnostics = received.diagnostics.map { (Int($0.image?.serial ?? 0), $0) }
  }

  /// The modules that are part of a cycle or wait for one.
  package var unordered: [Int] {
    let ordered = Set(of: order)
    return registry.entries.all.map(Self.index).filter { !ordered.contains($0) }
  }

  /// Returns the modules that a name in `after` refers to.
  package func modules(named name: String, after module: Int) -> [Int] {
    registry.entries.all(named: name).filter { entries[module].refers(to: $0, by: name) }.map(Self.index)
  }

  private static func index(_ entry: ModuleEntry) -> Int { Int(entry.image?.serial ?? 0) }

  /// The diagnostics that the handler of the log has received.
  @MainActor private final class Received {
    var diagnostics: [Diagnostic] = []
  }
}
