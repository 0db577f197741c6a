import Lifecycle
import Registry
package import RegistryAnalysis

extension Inspection {
  /// Returns the registrations of all images, for reports, comparisons, and rules.
  ///
  /// Within an image family and record group, each executable forms a process with the libraries
  /// that it can load. If there's no executable, the images form one process. For the parameters,
  /// see ``check(expecting:builtFrom:librariesAreSeparate:registered:)``.
  @MainActor package func snapshot(
    librariesAreSeparate: Bool = false, registered: [String] = []
  ) -> RegistrySnapshot {
    var processes: [RegistrySnapshot.Process] = []
    visitProcesses { processes.append($0) }
    let filled = processes.filter { !($0.modules.isEmpty && $0.entries.isEmpty && $0.needs.isEmpty) }
    return RegistrySnapshot(
      origin: .files, processes: filled.isEmpty ? Array(processes.prefix(1)) : filled,
      problems: check(librariesAreSeparate: librariesAreSeparate, registered: registered).map { $0.inSnapshot() })
  }

  /// Returns what code in a process needs. The process has the records of all groups.
  @MainActor static func needs(
    in process: [InspectedImage], _ names: ServiceNames
  ) -> [RegistrySnapshot.Need] { SnapshotBuilder(process, of: process, names).needs() }

  /// Calls a function with one process at a time to save memory, because each process repeats the
  /// registrations of its libraries.
  @MainActor func visitProcesses(_ body: (RegistrySnapshot.Process) -> Void) {
    for family in families {
      let names = serviceNames(of: family)
      let links = LinkedImages(family)
      for (group, images) in InspectedImage.byGroup(links.family) {
        for process in links.processes(of: images) {
          body(SnapshotBuilder(process.images, of: process.all(), names).process(group: group))
        }
      }
    }
  }
}

/// A builder that creates the snapshot of one process.
@MainActor private struct SnapshotBuilder {
  private let images: [InspectedImage]
  private let names: ServiceNames
  private let index: NeedIndex
  /// The images' names in the snapshot, by their names in messages.
  private let imageNames: [String: String]

  /// The executable, or else the first image.
  private let main: InspectedImage

  /// - Parameter process: The process's or family's images, with the records of all groups.
  init(_ images: [InspectedImage], of process: [InspectedImage], _ names: ServiceNames) {
    // Add linked images first, so that the records of their objects count as repeated.
    self.images = images.filter { !$0.header.isObject } + images.filter(\.header.isObject)
    (self.names, index) = (names, NeedIndex(process, names))
    let executables = process.filter { $0.header.type == .executable }
    main = images.first { $0.header.type == .executable } ?? (executables.count == 1 ? executables[0] : images[0])
    let short = images.map { $0.path.lastPathComponent + ($0.member.map { "(\($0))" } ?? "") }
    let counts = Dictionary(short.map { ($0, 1) }, uniquingKeysWith: +)
    imageNames = Dictionary(
      zip(images, short).map { ($0.name, counts[$1] == 1 ? $1 : $0.name) }, uniquingKeysWith: { first, _ in first })
  }

  private func name(_ image: InspectedImage) -> String { imageNames[image.name] ?? image.name }

  func process(group: String?) -> RegistrySnapshot.Process {
    var process = RegistrySnapshot.Process(name: main.path.lastPathComponent)
    (process.architecture, process.group) = (main.header.architecture, group)
    process.modules = modules()
    process.entries = entries()
    process.needs = needs()
    let used = Set(
      process.modules.map(\.image) + process.entries.map(\.image) + process.needs.map(\.image))
    process.images = images.filter { used.contains(name($0)) || $0.header.type == .executable }.map {
      .init(name: name($0), path: $0.path, records: $0.records.count)
    }
    return process
  }

  private func modules() -> [RegistrySnapshot.Module] {
    // Reports don't suggest names.
    let check = ModuleCheck(images, names, hints: 0)
    return check.order.map { index, position in
      let (placed, recorded) = check.modules[index]
      let attributes = recorded.attributes
      var module = RegistrySnapshot.Module(
        name: attributes.module, feature: placed.feature, level: "\(attributes.level)", priority: attributes.priority,
        activation: "\(attributes.activation)")
      let derived = check.derived[index] ?? []
      module.image = name(placed.image)
      module.position = position
      module.after = resolved(attributes.after.filter { !derived.contains($0) }, of: index, check)
      module.afterNeeds = resolved(derived, of: index, check)
      module.location = placed.record.location
      return module
    }
  }

  /// Returns the names of the modules that names in `after` refer to. Unknown names are kept.
  private func resolved(_ names: [String], of module: Int, _ check: ModuleCheck) -> [String] {
    var modules: [String] = []
    for name in names {
      let named = check.modules(named: name, after: module)
      modules += named.isEmpty ? [name] : named.map { check.modules[$0].recorded.attributes.module }
    }
    return modules.unique()
  }

  // MARK: - Entries

  /// The kinds of entries, by record kind. Records of other kinds aren't entries.
  private static let kinds: [RecordKind: RegistrySnapshot.Kind] = [
    .service: .service, .handler: .event, .route: .route, .action: .action, .contribution: .point,
  ]

  private struct Claim {
    var entry: RegistrySnapshot.Entry
    /// The sort key for the runtime's order. Services with the same key stay in discovery order,
    /// because the sort is stable. Other claims that would tie are sorted by provider.
    let order: (Int, Int, Int, String)
    /// True if there's no condition or the image's build meets the condition. Conditions that
    /// depend on the process, such as flags, count as false.
    let isIncluded: Bool
    let service: ServiceAttributes?
  }

  private func entries() -> [RegistrySnapshot.Entry] {
    var claims: [Claim] = []
    var known: Set<[String?]> = []
    for placed in ImageRecord.all(in: images) {
      guard let kind = Self.kinds[placed.record.kind], let claim = claim(kind, of: placed) else { continue }
      let entry = claim.entry
      let isNew = known.insert([kind.rawValue, entry.key, entry.name, entry.provider]).inserted
      // An object and the image that it's linked into contain the same records.
      if isNew || !placed.image.header.isObject { claims.append(claim) }
    }
    let groups = claims.grouped(by: \.entry.target)
    return groups.sorted { $0[0].entry.target < $1[0].entry.target }.flatMap(ordered)
  }

  private func claim(_ kind: RegistrySnapshot.Kind, of placed: ImageRecord) -> Claim? {
    let contents = placed.contents
    guard let target = contents.target, let provider = contents.subject else { return nil }
    // Use the same spelling as for needs.
    let key = index.exports(of: placed).first?.spelling ?? target
    var entry = RegistrySnapshot.Entry(
      kind: kind, key: key, provider: provider, feature: placed.feature, priority: contents.priority ?? 0, rank: 0)
    entry.name = contents.service?.name ?? contents.contribution?.key
    entry.image = name(placed.image)
    entry.scope = contents.service?.scope.description
    entry.type = contents.contribution?.cType
    entry.replaces = (contents.service?.replaces ?? contents.service?.replacesType)?.recordForm
    let (condition, build) = (contents.condition, contents.service?.build ?? contents.contribution?.build)
    entry.condition = condition?.description
    entry.location = placed.record.location
    // All images except plug-ins load together. The complement reverses the order of all integers.
    let (batch, priority) = (placed.image.header.type == .bundle ? placed.imageIndex + 1 : 0, ~entry.priority)
    let place = provider.naturalOrderKey
    let order =
      switch kind {
      case .event: (priority, 0, 0, place)
      case .service: (0, batch, priority, "")
      case .route, .action: (0, batch, 0, place)
      case .point where entry.name != nil: (batch, priority, 0, place)
      case .point, .module: (priority, batch, 0, place)
      }
    return Claim(
      entry: entry, order: order, isIncluded: condition == nil || condition == build,
      service: contents.service)
  }

  /// Returns the entries for one key in the runtime's order. Entries whose condition doesn't hold
  /// come last.
  private func ordered(_ claims: [Claim]) -> [RegistrySnapshot.Entry] {
    let sorted = claims.sorted { $0.order < $1.order }
    let included = withReplacements(sorted.filter(\.isIncluded))
    var names: Set<String> = []
    return (included + sorted.filter { !$0.isIncluded }).enumerated().map { position, claim in
      var entry = claim.entry
      entry.rank = position + 1
      let isPreferred =
        switch entry.kind {
        case .service, .route: position == 0
        // An action uses one handler per Swift module, and a point uses one contribution per key.
        case .action: names.insert(entry.feature).inserted
        case .point: entry.name.map { names.insert($0).inserted } ?? true
        case .event, .module: true
        }
      entry.isSelected = isPreferred && position < included.count
      return entry
    }
  }

  /// Returns the claims with each replacement before the claim that it replaces, as at run time.
  private func withReplacements(_ claims: [Claim]) -> [Claim] {
    guard claims.contains(where: { $0.entry.replaces != nil }) else { return claims }
    let providers = Set(claims.map(\.entry.provider))
    var (claims, ranks, entries) = (claims, Ranks(), [ServiceEntry]())
    for (position, claim) in claims.enumerated() {
      guard let service = claim.service else { continue }
      if let type = service.replacesType?.recordForm, service.replaces == nil {
        // Like the compiler, first search the enclosing types and the Swift module for a type, and
        // then other modules. A string literal is the full name.
        let provider = claim.entry.provider
        service.replaces = type.candidates(in: provider).first(where: providers.contains)
        let declared = names.resolve(type, in: [provider], isType: true)
        if service.replaces == nil, case .declared(let name) = declared { service.replaces = name }
        claims[position].entry.replaces = service.replaces ?? type
      }
      let rank = ranks.exported(by: LoadedImage(path: "", serial: 0, batch: 0))
      entries.append(ServiceEntry(recorded: service, rank: rank))
    }
    return ReplacementOrder(entries).entries.map { claims[$0.rank.order - 1] }
  }

  // MARK: - Needs

  func needs() -> [RegistrySnapshot.Need] {
    var known: Set<[String?]> = []
    let needs = ImageRecord.all(in: images).compactMap { placed -> RegistrySnapshot.Need? in
      let contents = placed.contents
      guard let stated = contents.need else { return nil }
      let wanted = index.export(satisfying: stated, of: placed)
      let matches = wanted.map { index.matches($0, of: stated) } ?? []
      var need = RegistrySnapshot.Need(
        kind: .init(stated.subject), key: (matches.first ?? wanted)?.spelling ?? stated.target,
        isOptional: stated.isOptional, dependent: contents.subject ?? placed.feature, feature: placed.feature)
      need.name = stated.name
      need.image = name(placed.image)
      need.location = placed.record.location
      need.providers = index.providers(of: matches, for: placed).map(\.feature).unique()
      let isNew = known.insert([need.kind.rawValue, need.key, need.name, need.dependent, need.location]).inserted
      return isNew || !placed.image.header.isObject ? need : nil
    }
    // Sort the needs, because their order in the file can change with each build.
    return needs.sorted { ($0.feature, $0.dependent, $0.key) < ($1.feature, $1.dependent, $1.key) }
  }
}
