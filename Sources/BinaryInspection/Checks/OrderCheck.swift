import Lifecycle
import Registry

/// The order of the modules of one process by the rules of the runtime, and its problems.
struct OrderCheck {
  /// The record of a module, with the attributes that determine its order.
  struct Module {
    let imageRecord: ImageRecord
    let name: String
    let level: ModuleLevel
    let priority: Int
    fileprivate(set) var after: [String]
    /// The source files of the private types that names in `after` refer to, because types named
    /// them.
    fileprivate var files: [String: Set<Substring?>] = [:]
    /// The types in `after`, as written in the source.
    let afterTypes: [String]
    /// A Boolean value that indicates whether the providers of what its feature needs precede it.
    let isAfterNeeds: Bool
    /// A Boolean value that indicates whether the module waits for its first event.
    let isInactive: Bool

    init?(_ imageRecord: ImageRecord) {
      let contents = imageRecord.contents
      guard imageRecord.record.kind == .module, let name = contents.type else { return nil }
      self.imageRecord = imageRecord
      self.name = name
      level = contents.level ?? .normal
      priority = contents.priority ?? 0
      after = contents.after.names
      afterTypes = contents.after.types
      isAfterNeeds = contents.after.includesNeeds
      isInactive = contents.activation == .onFirstEvent
    }

    /// Returns whether a name in `after` stands for a module that has this name.
    func refers(to other: Module) -> Bool {
      files[other.name]?.contains(other.imageRecord.file) ?? true
    }
  }

  /// The modules in start order.
  private(set) var ordered: [Module] = []
  /// The modules that are part of a cycle or wait for one.
  private(set) var unordered: [Module] = []
  private var found = ProblemList()
  var problems: [InspectionProblem] { found.all }
  /// The modules by name.
  ///
  /// Private types can share a name. A name in `after` refers to all of them.
  private let modules: [String: [Module]]
  /// The recorded names of modules, by the different names that the runtime can use for them.
  private let aliases: [String: String]
  private let types: ModuleTypes
  /// The sorted names of the modules.
  ///
  /// The order makes the suggestion among equally similar names deterministic.
  private let sortedNames: [String]
  /// The number of unknown names that may still be compared with all names.
  private(set) var hints: Int
  /// The largest number of unknown names that are compared with all names.
  static let hintLimit = 1_000

  /// The number of unknown names of one module that are reported separately, as in the runtime.
  private static let unknownLimit = 8

  /// Creates the order of the modules of images.
  ///
  /// - Parameters:
  ///   - images: The images of one process.
  ///   - names: The resolver of the names of services.
  ///   - hints: The number of unknown names that are compared with all names. All processes share
  ///     it.
  init(_ images: [InspectedImage], _ names: ServiceNames, hints: Int = hintLimit) {
    self.hints = hints
    var modules: [String: [Module]] = [:]
    var all: [Module] = []
    for record in ImageRecord.all(in: images) {
      guard let module = Module(record) else { continue }
      // Use the first of several duplicates. `DuplicateCheck` reports the others.
      if let other = modules[module.name]?.first, !record.canBeAnotherType(than: other.imageRecord) { continue }
      modules[module.name, default: []].append(module)
      all.append(module)
    }
    self.modules = modules
    aliases = Dictionary(
      all.compactMap { module in module.imageRecord.runtimeName(names).map { ($0, module.name) } },
      uniquingKeysWith: { min($0, $1) })
    sortedNames = modules.keys.sorted()
    types = ModuleTypes(images, names)
    for index in all.indices { resolveTypes(of: &all[index]) }
    if all.contains(where: \.isAfterNeeds) {
      let needs = FeatureNeeds(images, names)
      for index in all.indices where all[index].isAfterNeeds {
        let derived = needs.providers(ofNeedsOf: all[index].name, among: sortedNames)
        all[index].after += derived.filter { !all[index].after.contains($0) }
      }
    }
    for level in ModuleLevel.allCases {
      let candidates = all.filter { $0.level == level }
        .sorted { ModuleRank(priority: $0.priority, name: $0.name) < ModuleRank(priority: $1.priority, name: $1.name) }
      order(candidates)
    }
  }

  /// Returns the name that the runtime can use for a module with a longer recorded name.
  ///
  /// The runtime's name of a module that is recorded as `App.Swift.String.Inner` is
  /// `App.String.Inner`. The macro cannot tell whether `Swift` in `extension Swift.String` is a
  /// module or a type, but the runtime can. The result is nil for names of fewer than four
  /// components.
  static func alias(of name: String) -> String? {
    let parts = name.split(separator: ".")
    guard parts.count > 3 else { return nil }
    return (parts.prefix(1) + parts.dropFirst(2)).joined(separator: ".")
  }

  /// Returns the name in the record of a module that another module refers to.
  func recordedName(_ written: String) -> String {
    modules[written] == nil ? aliases[written] ?? written : written
  }

  /// Adds the names of the modules whose types a module names.
  ///
  /// A type that is not found is not a problem: the compiler has checked that it is a module, and
  /// code can register it.
  private func resolveTypes(of module: inout Module) {
    let names = Set(module.after)
    for type in module.afterTypes {
      switch types.target(of: type, in: module.imageRecord, around: module.name) {
      case .module(let target):
        guard let name = target.contents.type else { continue }
        module.after.append(name)
        if !names.contains(name) { module.files[name, default: []].insert(target.file) }
      case .notExported, .unknown: continue
      case .undeclared: if let name = name(of: type, in: module) { module.after.append(name) }
      }
    }
  }

  /// Returns the recorded name of a type that no file declares, or nil if several modules may have
  /// it.
  ///
  /// The types of the files can be unknown, and a module in an extension of a type alias is known
  /// under this alias. Like the compiler, the method first searches the types and the module around
  /// the name, and then the modules that the file may import.
  private func name(of type: String, in module: Module) -> String? {
    var scope = module.name.split(separator: ".")
    while !scope.isEmpty {
      scope.removeLast()
      let candidate = (scope + [type[...]]).joined(separator: ".")
      if modules[candidate] != nil { return candidate }
    }
    let matches = sortedNames.filter { $0.hasSuffix(".\(type)") }
    return matches.count == 1 ? matches[0] : nil
  }

  private mutating func order(_ candidates: [Module]) {
    var indices: [String: [Int]] = [:]
    for (index, module) in candidates.enumerated() { indices[module.name, default: []].append(index) }
    var waiting = [Int](repeating: 0, count: candidates.count)
    var followers: [Int: [Int]] = [:]
    for (index, module) in candidates.enumerated() where !module.after.isEmpty {
      for other in predecessors(of: module).flatMap({ indices[$0] ?? [] })
      where module.refers(to: candidates[other]) {
        waiting[index] += 1
        followers[other, default: []].append(index)
      }
    }
    ordered += ModuleSorting.order(&waiting, followers).map { candidates[$0] }
    let stuck = zip(candidates, waiting).filter { $1 > 0 }.map(\.0)
    guard !stuck.isEmpty else { return }
    unordered += stuck
    let cycle = ModuleSorting.cycle(
      among: Dictionary(stuck.map { ($0.name, $0.after.map(recordedName)) }, uniquingKeysWith: +))
    let path = cycle.map { CycleStep(subject: $0, image: nil) }
    found.add(
      .cycle, of: modules[cycle[0]]![0].imageRecord,
      "modules wait for each other in 'after': \(path.spelledOut); remove one of these names from 'after', or 'afterNeeds: true' from one of these modules"
    )
  }

  /// Returns the names of the known modules that a module names in its after attribute.
  ///
  /// Reports unknown names, and known modules that contradict the attribute.
  private mutating func predecessors(of module: Module) -> [String] {
    var unknown: [String] = []
    var others: [String] = []
    for written in Set(module.after).sorted() {
      let name = recordedName(written)
      guard let all = modules[name]?.filter(module.refers) else {
        if !types.canContain(written) { unknown.append(written) }
        continue
      }
      if !module.isInactive, all.contains(where: \.isInactive) {
        found.add(
          .activationConflict, of: module.imageRecord,
          "the module is created at launch, but 'after' names '\(name.escapedForDisplay())', which is created on its first"
            + " event and may not exist by then; use the same 'activation' for both")
      }
      if module.level == .basic, all.contains(where: { $0.level == .normal }) {
        found.add(
          .levelConflict, of: module.imageRecord,
          "the module is basic, but 'after' names the normal module '\(name.escapedForDisplay())'; basic modules always"
            + " start before normal ones")
      }
      others.append(name)
    }
    report(unknown, of: module)
    return others
  }

  private mutating func report(_ names: [String], of module: Module) {
    for name in names.prefix(Self.unknownLimit) {
      hints = max(0, hints - 1)
      found.add(
        .unknownAfter, of: module.imageRecord,
        "'after' names '\(name.escapedForDisplay())', but no file exports a module with that name",
        hint: hints > 0 ? name.suggestion(in: sortedNames) : "")
    }
    guard names.count > Self.unknownLimit else { return }
    found.add(
      .unknownAfter, of: module.imageRecord,
      "'after' names \((names.count - Self.unknownLimit).counted("more module")) that no file exports")
  }
}
