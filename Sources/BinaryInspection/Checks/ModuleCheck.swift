import Foundation
import Lifecycle
import Registry
import RegistryAnalysis

/// A check that orders modules with the runtime's own code.
@MainActor struct ModuleCheck {
  /// The modules, each with its record and the runtime's representation of the module.
  private(set) var modules: [(imageRecord: ImageRecord, recorded: RecordedModule)] = []
  /// The names that only `afterNeeds` adds to `after`, by module index.
  private(set) var derived: [Int: [String]] = [:]

  private let registry: ModuleRegistry
  private let entries: [ModuleEntry]
  private let computed: ModuleOrder
  private let diagnostics: [Diagnostic]

  /// The maximum number of unknown names that get suggestions.
  static let hintLimit = 1_000
  /// The limit on modules with the same name. Private types can share a name, and each module is
  /// compared with all others of the same name.
  private static let nameLimit = 64

  /// Checks the modules of a process. `hints` is the number of unknown names that can still get
  /// suggestions, and `exporter` is the subject in messages such as "no file exports it".
  init(
    _ images: [InspectedImage], _ names: ServiceNames, hints: Int = hintLimit, exporter: StaticString = "file"
  ) {
    var counts: [String: Int] = [:]
    var objects: Set<[String?]> = []
    // Add linked images first, so that a repeated record counts as a duplicate in the object.
    let sorted = images.filter { !$0.header.isObject } + images.filter(\.header.isObject)
    for record in ImageRecord.all(in: sorted) where record.record.kind == .module {
      guard let attributes = record.contents.module, counts[attributes.module, default: 0] < Self.nameLimit,
        !record.isRepeated(&objects)
      else { continue }
      counts[attributes.module, default: 0] += 1
      let module = RecordedModule(attributes)
      module.image = record.image.name
      // Treat all objects as one image, because a linker can combine them.
      module.imageNumber = record.image.header.isObject ? -1 : record.imageIndex
      module.hasAccessor = record.record.hasAccessor
      module.alias = record.runtimeName(names)
      module.file = record.file
      modules.append((record, module))
    }
    let sortedNames = counts.keys.sorted()
    let types = ModuleTypes(images, names)
    let known = Set(sortedNames + modules.compactMap(\.recorded.alias))
    let all = modules.contains(where: \.recorded.attributes.afterNeeds) ? Inspection.needs(in: images, names) : []
    let needs = Dictionary(grouping: all) { $0.location?.prefix { $0 != "/" } }
    for (index, (record, _)) in modules.enumerated() {
      modules[index].recorded.resolveAfter(of: record, types, known, sortedNames)
      let attributes = modules[index].recorded.attributes
      guard attributes.afterNeeds else { continue }
      let names = Self.providers(ofNeedsOf: attributes.module, needs, among: sortedNames)
        .filter { !attributes.after.contains($0) }
      modules[index].recorded.attributes.after += names
      derived[index] = names
    }
    // Unsynchronized access is safe, because only the calls below report diagnostics.
    nonisolated(unsafe) var received: [Diagnostic] = []
    let log = DiagnosticLog { received.append($0) }
    registry = ModuleRegistry(log: log, unknownNames: UnknownNames(hints: hints, exporter: exporter))
    entries = modules.map(\.recorded).enumerated().map { index, module in
      ModuleEntry(module, LoadedImage(path: module.image, serial: UInt64(index), batch: 0))
    }
    for entry in entries { _ = registry.insert(entry) }
    computed = registry.computeOrder()
    diagnostics = received
  }

  /// Returns the modules that provide what a module's Swift module needs. `names` has all modules.
  ///
  /// Like the runtime, the method considers only services and modules. Code uses routes and
  /// contribution points only after the start.
  private static func providers(
    ofNeedsOf module: String, _ needs: [Substring?: [RegistrySnapshot.Need]], among names: [String]
  ) -> [String] {
    let feature = module.prefix { $0 != "." }
    let own = needs[feature] ?? []
    let features = Set(own.filter { $0.kind == .service }.flatMap(\.providers)).subtracting(["\(feature)"])
    let needed = Set(own.filter { $0.kind == .module && !$0.providers.isEmpty }.map(\.key))
    return needed.union(names.filter { features.contains("\($0.prefix { $0 != "." })") }).subtracting([module]).sorted()
  }

  /// The number of unknown names that can still get suggestions.
  var hints: Int { computed.unknownNames.hints }

  /// The modules without duplicates, in start order with their positions. Modules that are part of
  /// a cycle or follow a cycle come last and have no position.
  var order: [(module: Int, position: Int?)] {
    let order = computed.modules.map { Self.index($0.image) }
    let ordered = Set(of: order)
    return order.enumerated().map { ($1, $0 + 1) }
      + registry.entries.all.map { Self.index($0.image) }.filter { !ordered.contains($0) }.map { ($0, nil) }
  }

  /// Returns the modules that a name in a module's `after` refers to.
  func modules(named name: String, after module: Int) -> [Int] {
    registry.entries.all(named: name).filter { entries[module].refers(to: $0, by: name) }.map { Self.index($0.image) }
  }

  private static func index(_ image: LoadedImage?) -> Int { Int(image?.serial ?? 0) }

  /// Reports modules that share a name, problems with names in `after`, and cycles. Duplicates in
  /// objects are reported only if no linked image has modules, because linked images repeat the
  /// records of their objects.
  func report(duplicates: ProblemList, others: ProblemList) {
    let areObjects = modules.allSatisfy(\.imageRecord.image.header.isObject)
    for diagnostic in diagnostics {
      let record = modules[Self.index(diagnostic.image)].imageRecord
      if diagnostic.code != .duplicate {
        // Pass the suggestion separately, because it depends on which other files are checked.
        let end = diagnostic.message.range(of: "; did you mean ")?.lowerBound ?? diagnostic.message.endIndex
        others.add(
          diagnostic.code, of: record, String(diagnostic.message[..<end]), hint: String(diagnostic.message[end...]))
      } else if record.image.header.isObject == areObjects {
        // The fix for images doesn't apply to objects, which can be two builds of one target.
        let fix = areObjects ? diagnostic.message.range(of: "; link its target") : nil
        let text = fix.map { "\(diagnostic.message[..<$0.lowerBound]); pass the objects of one build, or rename it" }
        duplicates.add(.duplicate, of: record, text ?? diagnostic.message)
      }
    }
    var (modulesLeft, found) = (registry.entries.all, computed.cycle)
    // Stop after 20, because finding each cycle requires ordering the remaining modules again.
    for _ in 0..<20 {
      guard let cycle = found else { break }
      // Omit the images, so that the message is the same in each process with the cycle.
      let path = cycle.map { (name: $0.name, image: nil as LoadedImage?) }
      others.add(.cycle, of: modules[Self.index(cycle[0].image)].imageRecord, ModuleError.cycle(path).text())
      modulesLeft.removeAll { entry in cycle.contains { $0 === entry } }
      found = ModuleOrder(registry.entries, some: modulesLeft).cycle
    }
    if let found {
      others.add(
        .cycle, of: modules[Self.index(found[0].image)].imageRecord,
        "more modules wait for each other in 'after'; remove these cycles, and check the file again")
    }
  }
}

extension RecordedModule {
  /// Adds the recorded names of the types in `after`, and removes names that may belong to a module
  /// whose full name is unknown. A type without a record isn't a problem, because the compiler has
  /// checked that it's a module, and code can register it.
  fileprivate func resolveAfter(
    of record: ImageRecord, _ types: ModuleTypes, _ known: Set<String>, _ sortedNames: [String]
  ) {
    attributes.after.removeAll { !known.contains($0) && types.canContain($0) }
    for type in attributes.afterTypes {
      switch types.target(of: type, in: record, around: attributes.module) {
      case .module(let target):
        guard let name = target.contents.type else { continue }
        attributes.after.append(name)
        precedingFiles[name, default: []].insert(target.file)
      case .notExported, .unknown: continue
      case .undeclared: if let name = name(of: type, known, sortedNames) { attributes.after.append(name) }
      }
    }
  }

  /// Returns the recorded name of a module type that no file declares, or nil if no module or
  /// several modules match. A file's types can be unreadable, and a module in an extension of a
  /// type alias is recorded under the alias. Like the compiler, the method first searches the
  /// enclosing types and Swift module, and then other Swift modules.
  private func name(of type: String, _ known: Set<String>, _ sortedNames: [String]) -> String? {
    let candidates = type.candidates(in: attributes.module).dropFirst()
    if let name = candidates.first(where: known.contains) ?? (known.contains(type) ? type : nil) { return name }
    let matches = sortedNames.filter { $0.hasSuffix(".\(type)") }
    return matches.count == 1 ? matches[0] : nil
  }
}
