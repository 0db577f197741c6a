public import Registry

extension ServiceManager {
  /// Returns a report of the manager's records, registrations, and diagnostics so far, and of the
  /// selected implementation of each service.
  ///
  /// Sections about parent managers follow. The method scans for new images, looks up the classes
  /// that C records and manifests name, and evaluates the points of contributions. It creates no
  /// instances. It takes microseconds per record, so use it only for debugging and tests.
  ///
  /// ```swift
  /// import RegistryReports
  ///
  /// print(ServiceManager.shared.report())
  /// ```
  public func report() -> RegistryReport {
    var sections: [RegistryReport.Section] = []
    var records: [ExportedRecord] = []
    var diagnostics: [Diagnostic] = []
    var known: Set<UInt> = []
    var names: [String: Set<String>] = [:]
    // Use a set, because many records can have problems.
    var reported: Set<Diagnostic> = []
    refresh()
    for core in core.lineage.map(\.current) {
      let owner = sections.isEmpty ? "" : " of a parent"
      sections.append(core.reportedServices(title: "Services\(owner)", &names))
      var contributions = core.reportedContributions(&names)
      if !contributions.isEmpty, self.core.lineage.allSatisfy(\.source.isEmpty) {
        let count = RecordSource.loadedImages.records(of: .contribution).count
        if count > 0 {
          contributions.append(
            "neither this manager nor a parent reads records, so it leaves out the \(count.counted("contribution")) of"
              + " '#contribute'")
        }
      }
      if !contributions.isEmpty { sections.append(("Contributions\(owner)", contributions)) }
      let feed = core.state.withLock { $0.feed }
      let read = feed.images.flatMap(\.records)
      let repeated = read.count { $0.kind == .service && known.contains($0.address) }
      if repeated > 0 {
        let line =
          "\(repeated.counted("exported service")) of a child, too, so each manager creates its own instances; leave out"
          + " 'records:' where the child should use those of its parent"
        sections.append(("Records that a parent also reads", [line]))
      }
      records += read.filter { known.add($0.address) }
      let current =
        core.unknownProtocols() + core.unknownReplacements() + core.unknownPoints() + core.unknownFlags()
        + core.missingRecords() + feed.unreadImages
      diagnostics += (core.log.diagnostics + current).filter { reported.add($0) }
    }
    let similar = Self.similarNames(names) + Self.similarNeeds(names)
    if !similar.isEmpty { sections.append(("Names that look alike", similar)) }
    return RegistryReport(sections: sections, records: records, diagnostics: diagnostics)
  }
}

extension ServiceManager {
  /// Returns the lines about caches and groups whose names are spelled similarly, and about other
  /// names that differ only in case or spaces.
  private static func similarNames(_ names: [String: Set<String>]) -> [String] {
    var names = names
    names["groups"] = Set(of: RecordSource.records { _ in true }.records().compactMap(\.group))
    func folded(_ name: String) -> String { name.lowercased().filter { $0 != " " } }
    return names.ordered { $0.key < $1.key }.flatMap { what, names -> [String] in
      let names = names.ordered(by: >)
      var alike: [String: String] = [:]
      return names.enumerated().compactMap { index, name in
        let similar =
          ["caches", "groups"].contains(what)
          ? name.mostSimilar(in: names[..<index]) : alike.updateValue(name, forKey: folded(name))
        return similar.map {
          "\(name.quotedForDisplay()) and \($0.quotedForDisplay()) are two \(what); if they should be one, correct a name"
        }
      }.reversed()
    }
  }

  /// Returns lines about optional needs for a name that is probably misspelled.
  private static func similarNeeds(_ names: [String: Set<String>]) -> [String] {
    let needs = RecordSource.records { _ in true }.records(of: .need).compactMap { try? Need($0) }
    return needs.compactMap { need in
      // Names such as 'session-1' and 'session-2' differ on purpose.
      guard need.isOptional, let name = need.name, !name.contains(where: \.isNumber) else { return nil }
      let service = need.record.servedType.map(recordName(of:)) ?? need.target
      let known = (names["names of \(service.quotedForDisplay())"] ?? []).ordered(by: <)
      // Many short names differ in one letter. Exchanged letters are two errors for 'nearest'.
      let nearest = name.utf8.count > 4 ? name.nearest(in: known) : nil
      let similar = nearest ?? known.first { $0.sorted() == name.sorted() }
      guard !known.contains(name), let similar else { return nil }
      return "no implementation of \(service.quotedForDisplay()) has the name \(name.quotedForDisplay()) of an optional"
        + " need of \(need.dependentForDisplay); did you mean \(similar.quotedForDisplay())?"
    }.ordered(by: <)
  }
}

extension ServiceCore {
  /// Returns the report section about each service's implementations.
  ///
  /// The call parses JSON and compares names, so it takes microseconds for each implementation. It
  /// creates no instances.
  fileprivate func reportedServices(title: String, _ names: inout [String: Set<String>]) -> RegistryReport.Section {
    // Check the classes that unused implementations name.
    let unused = state.withLock { state in
      let all = state.groups.all.flatMap(\.entries) + state.unclaimed.values.flatMap { $0 }
      return all.filter { $0.isNamed && !$0.wasPrepared }.ordered { $0.rank < $1.rank }
    }
    var types: [ObjectIdentifier: Any.Type] = [:]
    for entry in unused { types[ObjectIdentifier(entry)] = checkedClass(of: entry)?.type }
    let (conditions, inherited) = (conditions, Dictionary(grouping: inherited, by: \.name))
    return state.withLock { state in
      let services = Implementations.all(&state, conditions)
      for service in services {
        for entry in service.all {
          if case .cached(let cache) = entry.scope { names["caches", default: []].add(cache) }
          if let name = entry.name { names["names of \(service.name.quotedForDisplay())", default: []].add(name) }
        }
      }
      let sharing = Self.sharing(services, types)
      return (title, services.flatMap { Self.lines($0, sharing, inherited) })
    }
  }

  /// Returns the lines about the contributions to each point. Creates no values.
  fileprivate func reportedContributions(_ names: inout [String: Set<String>]) -> [String] {
    scanContributions()
    let conditions = conditions
    return state.withLock { state in
      let groups = state.groups.all.filter { $0.key.point != nil }.map { (text: $0.key.text, group: $0) }
      return groups.ordered { $0.text < $1.text }.flatMap { text, group -> [String] in
        for entry in group.entries {
          if let key = entry.name { names["keys of \(text.quotedForDisplay())", default: []].add(key) }
        }
        // A test scope's copy doesn't know whether code outside has read the point.
        let isRead = group.isClaimed || original != nil
        return [text.escapedForDisplay() + (isRead ? "" : ", which no code has read")] + group.sameIdentifier
          + (group.entries + group.conditional).map { entry in
            let key = entry.name.map { ", key \($0.quotedForDisplay())" } ?? ""
            let condition = entry.isIncluded(by: conditions) ? nil : entry.options?.condition
            return "  \(entry.label)\(key), priority \(entry.rank.priority)\(entry.failureText)"
              + (condition.map { ": \($0.reason)" } ?? entry.remark(in: group))
          }
      }
    }
  }

  /// Returns the remarks about implementations that share an instance with other services.
  /// `types` are the classes that unused implementations name.
  private static func sharing(
    _ all: [Implementations], _ types: [ObjectIdentifier: Any.Type]
  ) -> [ObjectIdentifier: String] {
    struct Instance: Hashable {
      let type: ObjectIdentifier
      let scope: ServiceScope
    }
    var services: [Instance: [(entry: ServiceEntry, service: String, title: String)]] = [:]
    for service in all {
      for candidates in service.candidates {
        for entry in candidates.included where entry.scope != .transient && !entry.hasSeparateInstance {
          guard let type = entry.instanceType ?? types[ObjectIdentifier(entry)] else { continue }
          services[Instance(type: ObjectIdentifier(type), scope: entry.scope), default: []].append(
            (entry, service.name, service.title(candidates.name)))
        }
      }
    }
    var texts: [ObjectIdentifier: String] = [:]
    for services in services.values where services.count > 1 {
      // Limit the list, because the report repeats the list for each of the type's services.
      let titles = services.map(\.title).ordered(by: <).prefix(8).map { "(\($0))" }.joined(separator: " and ")
      let others = services.count > 8 ? " and \(services.count - 8) more" : ""
      // One service with two names may be meant as two instances, which only records can state.
      let isRepeated =
        Set(of: services.map(\.title)).count > Set(of: services.map(\.service)).count
        && services.allSatisfy { $0.entry.record != nil }
      let fix = isRepeated ? "; for one each, pass 'separateInstance: true'" : ""
      for (entry, _, _) in services { texts[ObjectIdentifier(entry)] = ", one instance for \(titles)\(others)\(fix)" }
    }
    return texts
  }

  /// Returns the lines about one service's implementations, which are in order of preference.
  private static func lines(
    _ service: Implementations, _ sharing: [ObjectIdentifier: String], _ inherited: [String: [Implementations]]
  ) -> [String] {
    // A lookup without a result leaves an empty group.
    if service.candidates.isEmpty {
      let parents = (inherited[service.name] ?? []).flatMap(\.candidates).filter { $0.name == nil }
      let hint = parents.lazy.compactMap(\.selected).first.map {
        "; lookups use a parent's \($0.label)"
          + ($0.scope == .transient
            ? "" : ", whose instance other children share; to have its own, register one here, or export it in a group")
      }
      return [service.title(nil), "  no implementation in this manager\(hint ?? "")"]
    }
    let replacers = service.candidates.flatMap(\.included).filter { $0.isUsable && $0.options?.replaced != nil }
    let late =
      service.candidates.contains { $0.selected?.location != nil && service.failedNames.contains($0.name) }
      ? [
        "  a lookup failed before code registered it; look it up later, such as in 'initialize', or let the module that"
          + " registers it in 'setUp' precede"
      ] : []
    return service.candidates.enumerated().flatMap { index, candidates -> [String] in
      func line(_ entry: ServiceEntry, _ reason: String?) -> String {
        let shared = sharing[ObjectIdentifier(entry)] ?? ""
        let summary = entry.summary + (entry.hasSeparateInstance ? ", separate instance" : shared)
        return reason.map { "  not selected: \(summary): \($0)" } ?? "  selected: \(summary)"
      }
      let selected = candidates.selected
      let included = candidates.included.map { entry in
        let replacer = replacers.first { $0.options?.replaced === entry }
        return line(entry, entry === selected ? nil : entry.reasonNotSelected(selected, replacer))
      }
      let excluded = candidates.excluded.map { line($0, $0.options?.condition?.reason) }
      return [service.title(candidates.name)] + (index == 0 ? late : []) + included + excluded
    }
  }
}

extension ServiceEntry {
  fileprivate var summary: String {
    // The label of a factory already contains its location.
    let location = isNamed ? location.map { " registered at \($0.escapedForDisplay())" } ?? "" : ""
    // A new actor for each lookup is usually a mistake, but correct for some actors.
    let actors =
      scope == .transient && instanceType is any Actor.Type
      ? " (another actor for each lookup; pass 'scope: .shared' to keep its state)"
      : weakCount > 1 ? " (created \(weakCount) times)" : ""
    return "\(label)\(location), \("\(scope)".escapedForDisplay())\(actors), priority \(rank.priority)\(failureText)"
  }

  /// The error of the last creation that failed, if it explains why there is no instance.
  fileprivate var failureText: String {
    failure.map { hasKeptInstance ? "" : " (a creation failed: \($0.escapedForDisplay()))" } ?? ""
  }

  /// A remark about a contribution that code registered after the last use of its point.
  fileprivate func remark(in group: ServiceGroup) -> String {
    #if DEBUG
    // If the point has keys, code uses only the first contribution for each key.
    if name == nil, location != nil, !hasKeptInstance, failure == nil, group.entries.contains(where: \.hasKeptInstance)
    {
      return ", added after code last used the point; to follow changes, use 'contributionChanges(to:)'"
    }
    #endif
    return ""
  }

  /// Returns the reason why lookups find `selected`, or nothing, instead of this implementation.
  fileprivate func reasonNotSelected(_ selected: ServiceEntry?, _ replacer: ServiceEntry?) -> String {
    if let problem { return "it cannot be used; \(problem.message) [\(problem.code)]" }
    guard let selected else { return "it cannot be used" }
    if selected.isOverride { return "the test scope overrides it" }
    if let replacer { return "\(replacer.implementation.quotedForDisplay()) replaces it" }
    // A moved replacement has the position of the implementation that it replaces.
    let (preferred, other) = selected.decisive(before: self).map { ($0.rank, $1.rank) } ?? (selected.rank, rank)
    if preferred.batch < 0, preferred.batch < other.batch, preferred.order > other.order {
      return "the selected one was registered later with 'replacing: true'"
    }
    if preferred.batch < other.batch {
      return image == nil
        ? "it was registered after the selected one existed; register it in code with 'replacing: true' to use it"
        : "its image was loaded after the selected one existed"
    }
    return preferred.priority > other.priority
      ? "its priority is lower" : "it has the same priority and was found later"
  }
}

extension ServiceGroup {
  /// The line about points that are declared separately but share an identifier.
  fileprivate var sameIdentifier: [String] {
    // Swift records contain the point's property, and C records contain its identifier.
    let properties = (entries + conditional).compactMap { entry in
      entry.record?.name.flatMap { $0.split(separator: ".").last.map(String.init) }
    }
    let names = Set(of: properties).ordered(by: <)
    if key.cType != nil || names.count < 2 { return [] }
    return [
      "  \(names.quotedList("and")) have this identifier, so each receives the contributions to all of them; give each"
        + " point its own identifier"
    ]
  }
}

extension ServiceCondition {
  /// The reason why an implementation is ignored if the condition doesn't hold.
  fileprivate var reason: String {
    guard case .flag(let name) = self else { return "its condition '.\(self)' does not hold" }
    return "its condition '.flag(\"\(name.escapedForDisplay())\")' does not hold"
      + (name.contains(",") ? "; 'REGISTRY_FLAGS' cannot set it, because it separates flags with commas" : "")
  }
}
