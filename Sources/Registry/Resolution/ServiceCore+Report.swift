// What errors and reports say about the implementations of services.

extension ServiceCore {
  /// Returns the error with the name of an exported protocol that is spelled similarly.
  ///
  /// The names are compared outside the lock, and no more than ``Swift/String/comparedNames``.
  ///
  /// - Parameters:
  ///   - error: The error of a lookup.
  ///   - key: The type of the service, whose own implementations are not suggested.
  func hinted(_ error: ServiceError, for key: GroupKey? = nil) -> ServiceError {
    guard case .notFound(let service, let named, let available, let images, nil) = error else { return error }
    let (unclaimed, known) = state.withLock { state in
      (
        Array(state.unclaimed.keys.prefix(String.comparedNames)),
        // Contribution points are no services. The records of one service spell its name in few
        // different ways.
        state.groups.values.prefix(String.comparedNames).flatMap {
          $0.key == key || $0.key.point != nil ? [] : $0.spellings
        }
      )
    }
    let own = service.parts(separatedBy: ".").last ?? service
    let spellings = Set(of: known)
    // Swift records spell the protocol as the user did, often without its module.
    let nearest =
      service.nearest(in: unclaimed) ?? own.nearest(in: spellings) ?? service.nearest(in: spellings)
    return .notFound(service: service, named: named, available: available, images: images, nearest: nearest)
  }

  /// Returns the section of a report about the implementations of each service.
  ///
  /// The call parses JSON and compares names, so it takes microseconds for each implementation. It
  /// creates no instances.
  func reportedServices(title: String) -> RegistryReport.Section {
    // Check the classes of the named implementations that no lookup has used.
    let unused = state.withLock { state in
      let all = state.groups.values.flatMap(\.entries) + state.unclaimed.values.flatMap { $0 }
      return all.filter { entry in
        guard case .named = entry.source else { return false }
        return entry.factory == nil && entry.problem == nil
      }.ordered { $0.rank < $1.rank }
    }
    var types: [ObjectIdentifier: TypeKey] = [:]
    for entry in unused { types[ObjectIdentifier(entry)] = checkedClass(of: entry).map { typeKey($0.type) } }
    let conditions = conditions
    return state.withLock { state in
      let services = Self.implementations(state, conditions)
      let sharing = Sharing(services, types)
      return RegistryReport.Section(
        title, services.flatMap { Self.lines($0, sharing) }, registrations: services.flatMap(\.registrations))
    }
  }

  /// Returns the section of a report about the contributions to each point.
  ///
  /// The call reads the records that the calling code may read, and creates no values.
  func reportedContributions(title: String) -> RegistryReport.Section {
    scanContributions()
    let conditions = conditions
    return state.withLock { state in
      let groups = state.groups.values.filter { $0.key.point != nil }.map { (text: $0.key.text, group: $0) }
      let lines = groups.ordered { $0.text < $1.text }.flatMap { text, group -> [String] in
        [text.escapedForDisplay() + (group.isClaimed ? "" : ", which no code has read")]
          + (group.entries + group.conditional).map { entry in
            let key = entry.name.map { ", key \($0.quotedForDisplay())" } ?? ""
            let condition = entry.isIncluded(by: conditions) ? nil : entry.options?.condition?.sourceText
            return "  \(entry.label)\(key), priority \(entry.rank.priority)"
              + (condition.map { ": its condition '\($0.escapedForDisplay())' does not hold" } ?? "")
          }
      }
      return RegistryReport.Section(title, lines)
    }
  }

  /// Returns diagnostics for the contributions of C code to points that no code has used.
  ///
  /// They are not kept, because code that is loaded later can use the point.
  func unknownPoints() -> [Diagnostic] {
    let (addresses, known) = state.withLock { state in
      (state.contributions.addresses, Set(of: state.groups.keys.compactMap(\.point)))
    }
    return addresses.ordered { $0.attributes.point < $1.attributes.point }.map { record in
      let point = record.attributes.point
      return record.diagnostic(
        .warning, .unknownPoint,
        "the record contributes to \(point.quotedForDisplay()), but no code has used a contribution point with this"
          + " identifier\(point.suggestion(in: known))")
    }
  }

  /// A service with its implementations.
  struct Implementations {
    /// The implementations with one name.
    struct Candidates {
      let name: String?
      /// The implementations in the order of preference.
      var included: [ServiceEntry] = []
      /// The implementations whose condition does not hold.
      var excluded: [ServiceEntry] = []
      /// The implementation that lookups find; see ``ServiceGroup``.
      var selected: ServiceEntry?
    }

    let name: String
    fileprivate private(set) var candidates: [Candidates] = []

    /// Returns the service and the name of an implementation, for messages.
    fileprivate func title(_ name: String?) -> String {
      self.name.escapedForDisplay() + (name.map { ", named \($0.quotedForDisplay())" } ?? "")
    }

    fileprivate var all: [ServiceEntry] { candidates.flatMap { $0.included + $0.excluded } }

    /// Creates the service from its implementations with and without a condition.
    fileprivate init(_ name: String, _ all: [ServiceEntry], _ conditions: Set<ServiceCondition>) {
      self.name = name
      let included = ReplacementOrder(all.filter { $0.isIncluded(by: conditions) }).entries
      let excluded = all.filter { !$0.isIncluded(by: conditions) }.ordered { $0.rank < $1.rank }
      // Implementations without a name come first. An empty string is a name, too.
      func place(_ entry: ServiceEntry) -> (Int, String) { (entry.name == nil ? 0 : 1, entry.name ?? "") }
      for (index, entry) in (included + excluded).enumerated().ordered(by: { place($0.1) < place($1.1) }) {
        if candidates.last.map({ $0.name == entry.name }) != true { candidates.append(Candidates(name: entry.name)) }
        let last = candidates.count - 1
        if index < included.count {
          candidates[last].included.append(entry)
          if candidates[last].selected == nil, entry.isUsable { candidates[last].selected = entry }
        } else {
          candidates[last].excluded.append(entry)
        }
      }
    }

    fileprivate var registrations: [RegistryReport.Registration] {
      candidates.flatMap { candidates in
        candidates.included.compactMap { $0.registration(of: name, isSelected: $0 === candidates.selected) }
      }
    }
  }

  /// Returns the implementations of each service. The manager must be locked.
  private static func implementations(
    _ state: State, _ conditions: Set<ServiceCondition>
  ) -> [Implementations] {
    var services: [Implementations] = []
    var unclaimed = state.unclaimed
    let groups = state.groups.values.filter { $0.key.point == nil }.map {
      (name: recordName(of: serviceType($0.key.type)), group: $0)
    }
    // The named implementations of a service belong to the first type with its name; see
    // `claimedGroup`. Lookups add them later.
    for (name, group) in groups.ordered(by: { $0.name < $1.name }) {
      let named = group.isClaimed ? [] : unclaimed.removeValue(forKey: name) ?? []
      services.append(Implementations(name, group.entries + group.conditional + named, conditions))
    }
    for (name, entries) in unclaimed { services.append(Implementations(name, entries, conditions)) }
    return services.ordered { $0.name < $1.name }
  }

  /// The services that share an instance.
  struct Sharing {
    /// The exported types of implementations that no lookup has used.
    private let types: [ObjectIdentifier: TypeKey]
    private var services: [InstanceHolder.Key: [String]] = [:]

    fileprivate init(_ all: [Implementations], _ types: [ObjectIdentifier: TypeKey]) {
      self.types = types
      for service in all {
        for candidates in service.candidates {
          for entry in candidates.included {
            guard let key = key(entry) else { continue }
            services[key, default: []].append(service.title(candidates.name))
          }
        }
      }
      services = services.mapValues { $0.ordered(by: <) }
    }

    private func key(_ entry: ServiceEntry) -> InstanceHolder.Key? {
      if entry.scope == .transient || entry.hasSeparateInstance { return nil }
      let type = types[ObjectIdentifier(entry)] ?? entry.exportedType
      return entry.holder?.key ?? type.map { InstanceHolder.Key(type: $0, scope: entry.scope) }
    }

    /// Returns the end of the line about an implementation.
    fileprivate func text(_ entry: ServiceEntry, _ isIncluded: Bool) -> String {
      if entry.hasSeparateInstance { return ", separate instance" }
      guard isIncluded, let key = key(entry), let names = services[key], names.count > 1 else { return "" }
      // The list has a limit, because every service of a type has a line with it.
      let others = names.count > 8 ? " and \(names.count - 8) more" : ""
      return ", one instance for \(names.prefix(8).map { "(\($0))" }.joined(separator: " and "))\(others)"
    }
  }

  /// Returns diagnostics for the C records whose protocol no loaded image declares.
  ///
  /// They are not kept, because an image that is loaded later can declare the protocol. Records of
  /// services that were looked up are not checked, and neither are those of Swift code.
  func unknownProtocols() -> [Diagnostic] {
    var unclaimed: [ServiceEntry] = []
    state.withLock { state in
      let known = Set(of: state.groups.keys.map { recordName(of: serviceType($0.type)) })
      for (name, entries) in state.unclaimed where !known.contains(name) { unclaimed += entries }
    }
    return unclaimed.filter { $0.image != nil }.ordered { $0.rank < $1.rank }.compactMap { entry in
      ClassLookup.absenceOfService(entry.service).map { absence in
        Diagnostic(
          severity: .error, code: .unknownProtocol, subject: entry.service, image: entry.image,
          message: "\(entry.label) is exported as its implementation, but \(absence)")
      }
    }
  }

  /// Returns diagnostics for the implementations that replace one that the manager does not have.
  ///
  /// They are not kept, because the image of the replaced implementation can be absent on purpose,
  /// or can be loaded later.
  func unknownReplacements() -> [Diagnostic] {
    let conditions = conditions
    let services = state.withLock { Self.implementations($0, conditions) }
    return services.flatMap { service -> [Diagnostic] in
      let all = service.all.ordered { $0.rank < $1.rank }
      guard all.contains(where: { $0.options?.replaces != nil }) else { return [] }
      let known = all.map { (name: $0.name, implementation: $0.implementation, identity: $0.identity) }
      return zip(all, known).compactMap { entry, own in
        guard let options = entry.options, let replaced = options.replaces else { return nil }
        let matches = known.filter { options.replaces($0.implementation, identity: $0.identity) }
        if matches.contains(where: { $0.name == entry.name }) { return nil }
        let isNamed = !matches.isEmpty
        let others = known.filter { $0.name == entry.name && $0.implementation != own.implementation }
        return entry.diagnostic(
          .warning, .unknownReplaced,
          "'replaces' names \(replaced.quotedForDisplay()), but no loaded image exports it as an implementation of"
            + " \(service.name.quotedForDisplay())"
            + (entry.name.map { " with the name \($0.quotedForDisplay())" } ?? " without a name")
            + (isNamed
              ? "; give both implementations the same name" : replaced.suggestion(in: others.map(\.implementation))))
      }
    }
  }

  /// Returns the lines about the implementations of one type, which are in order of preference.
  private static func lines(_ service: Implementations, _ sharing: Sharing) -> [String] {
    // A lookup without a result leaves an empty group.
    if service.candidates.isEmpty { return [service.title(nil), "  no implementation in this manager"] }
    let replacers = service.candidates.flatMap(\.included).filter { $0.isUsable && $0.options?.replaced != nil }
    return service.candidates.flatMap { candidates -> [String] in
      func line(_ entry: ServiceEntry, _ reason: String?, isIncluded: Bool = true) -> String {
        let summary = entry.summary + sharing.text(entry, isIncluded)
        return reason.map { "  not selected: \(summary): \($0)" } ?? "  selected: \(summary)"
      }
      let selected = candidates.selected
      let included = candidates.included.map { entry in
        let replacer = replacers.first { $0.options?.replaced === entry }
        return line(entry, entry === selected ? nil : entry.reasonNotSelected(selected, replacer))
      }
      let excluded = candidates.excluded.map { entry in
        let condition = entry.options?.condition?.sourceText.escapedForDisplay() ?? ""
        return line(entry, "its condition '\(condition)' does not hold", isIncluded: false)
      }
      return [service.title(candidates.name)] + included + excluded
    }
  }
}

extension ServiceEntry {
  /// The implementation with its image, its scope, and its priority.
  fileprivate var summary: String {
    // The label of a factory already contains its location.
    let location =
      if case .named = source { location.map { " registered at \($0.escapedForDisplay())" } } else { nil as String? }
    return "\(label)\(location ?? ""), \(scope), priority \(rank.priority)"
  }

  /// Returns the part of a report about a registration; nil for an exported implementation.
  fileprivate func registration(of service: String, isSelected: Bool) -> RegistryReport.Registration? {
    guard let location else { return nil }
    let className = if case .named = source { implementation } else { nil as String? }
    return RegistryReport.Registration(
      service: service, name: name, className: className, scope: scope, priority: rank.priority, location: location,
      isSelected: isSelected)
  }

  /// Returns the reason why lookups find another implementation, or none.
  ///
  /// - Parameters:
  ///   - selected: The implementation that lookups find; nil if there is none.
  ///   - replacer: An implementation that replaces this one.
  fileprivate func reasonNotSelected(_ selected: ServiceEntry?, _ replacer: ServiceEntry?) -> String {
    if let problem { return "it cannot be used; \(problem.message) [\(problem.code)]" }
    guard let selected else { return "it cannot be used" }
    if selected.standing == .override, standing != .override { return "the test scope overrides it" }
    if let replacer { return "\(replacer.implementation.quotedForDisplay()) replaces it" }
    // An implementation that replaces another one has the position of the latter.
    let (preferred, other) = selected.decisive(before: self).map { ($0.rank, $1.rank) } ?? (selected.rank, rank)
    if preferred.batch < 0, preferred.batch < other.batch {
      return "the selected one was registered later with 'replacing: true'"
    }
    if preferred.batch < other.batch {
      return image == nil
        ? "it was registered after the selected one existed"
        : "its image was loaded after the selected one existed"
    }
    return preferred.priority > other.priority
      ? "its priority is lower" : "it has the same priority and was found later"
  }
}
