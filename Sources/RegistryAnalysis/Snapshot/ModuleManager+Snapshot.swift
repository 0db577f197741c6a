import Foundation
public import Lifecycle
package import Registry
import RegistryReports
import Routing

extension ModuleManager {
  /// Returns a snapshot of the manager's registrations, for pages, comparisons, and rules.
  ///
  /// ```swift
  /// import RegistryAnalysis
  ///
  /// let json = try ModuleManager.shared.snapshot().json()
  /// ```
  ///
  /// Like `report()` of `RegistryReports`, the method scans for new images and creates no
  /// instances. Like a router, it evaluates the expressions that name routes, unless they belong to
  /// another actor. It takes microseconds for each record, so use it only for debugging and tests.
  public func snapshot() -> RegistrySnapshot {
    let report = report()
    let router = context.permanentServices.routerContents
    var builder = ProcessSnapshot(report.records)
    let (_, entries) = inspect()
    var process = RegistrySnapshot.Process(name: ProcessInfo.processInfo.processName)
    #if arch(x86_64)
    process.architecture = "x86_64"
    #elseif arch(arm64)
    process.architecture = "arm64"
    #endif
    // The order omits modules that are in or after a cycle.
    let ordered = Set(entries.map(ObjectIdentifier.init))
    let others = registry.entries.all.filter { !ordered.contains(ObjectIdentifier($0)) }
    process.modules =
      builder.modules(entries.filter { !$0.isHandler })
      + builder.modules(others.filter { !$0.isHandler }.sorted { $0.name < $1.name }, areOrdered: false)
    builder.addServices(context.permanentServices.core)
    builder.addEvents(handlers(of: entries.filter(\.receivesEvents)))
    builder.addRoutes(router)
    builder.addContributions(context.permanentServices.core)
    process.entries = builder.entries.sorted { $0.group == $1.group ? $0.rank < $1.rank : $0.group < $1.group }
    process.needs = builder.needs(process)
    process.images = builder.images
    // The manager and the router both report malformed records.
    let known = Set(report.diagnostics)
    let problems = (report.diagnostics + router.diagnostics.filter { !known.contains($0) }).map { diagnostic in
      RegistrySnapshot.Problem(
        severity: "\(diagnostic.severity)", code: "\(diagnostic.code)", subject: diagnostic.subject,
        image: diagnostic.image?.name, message: diagnostic.message)
    }
    return RegistrySnapshot(origin: .process, processes: [process], problems: problems)
  }
}

/// A builder that creates a process's snapshot from a manager and its records.
@MainActor private struct ProcessSnapshot {
  typealias Entry = RegistrySnapshot.Entry

  private typealias Record = (record: ExportedRecord, json: [String: Any])

  /// The records of each kind, with their JSON, because managers don't keep all members.
  private let records: [RecordKind: [Record]]
  private(set) var images: [RegistrySnapshot.Image]
  /// The names of images in the snapshot; paths if several images share a name.
  private let imageNames: [LoadedImage: String]
  private(set) var entries: [Entry] = []
  private var counts: [[String?]: Int] = [:]
  /// The entries that satisfy no need, because their conditions don't hold.
  private var excluded: Set<Entry> = []
  /// The route or action of each entry, as spelled in the source.
  private var spellings: [Entry: String] = [:]

  init(_ all: [ExportedRecord]) {
    records = Dictionary(
      grouping: all.map { record in
        let json = try? JSONSerialization.jsonObject(with: Data(record.attributes.utf8))
        return (record, json as? [String: Any] ?? [:])
      }, by: \.record.kind)
    let counts = Dictionary(all.map { ($0.image, 1) }, uniquingKeysWith: +)
    let names = Dictionary(counts.keys.map { ($0.name, 1) }, uniquingKeysWith: +)
    imageNames = Dictionary(
      counts.keys.map { ($0, names[$0.name] == 1 ? $0.name : $0.path) }, uniquingKeysWith: { first, _ in first })
    images = []
    for image in counts.keys.sorted(by: { $0.serial < $1.serial }) {
      images.append(.init(name: name(image), path: image.path, records: counts[image] ?? 0))
    }
  }

  private func name(_ image: LoadedImage) -> String { imageNames[image] ?? image.name }

  /// Returns the Swift module at the start of a type name or a source location.
  private func feature(_ provider: String) -> String { String(provider.prefix { $0 != "." && $0 != "/" }) }

  /// Returns an entry with the next rank in its group.
  private mutating func entry(
    _ kind: RegistrySnapshot.Kind, _ key: String, named entryName: String? = nil, by provider: String,
    in image: LoadedImage?, priority: Int = 0
  ) -> Entry {
    let group = [kind.rawValue, key, kind == .service ? entryName : nil]
    counts[group, default: 0] += 1
    var entry = Entry(
      kind: kind, key: key, provider: provider, feature: feature(provider), priority: priority, rank: counts[group]!)
    entry.name = entryName
    entry.image = image.map(name)
    if provider.contains("/") { entry.location = provider }
    return entry
  }

  func modules(_ entries: [ModuleEntry], areOrdered: Bool = true) -> [RegistrySnapshot.Module] {
    let own = Dictionary(
      records[.module, default: []].map { ($0.json["module"] as? String ?? "", $0.json) },
      uniquingKeysWith: { first, _ in first })
    return entries.enumerated().map { position, entry in
      let (attributes, json) = (entry.attributes, own[entry.attributes.module] ?? [:])
      var module = RegistrySnapshot.Module(
        name: attributes.module, feature: feature(attributes.module), level: "\(attributes.level)",
        priority: attributes.priority, activation: "\(attributes.activation)")
      module.image = entry.image.map(name)
      module.position = areOrdered ? position + 1 : nil
      // In `after`, names from needs follow the names that the record lists.
      let listed = ["after", "afterTypes"].reduce(0) { $0 + (json[$1] as? [Any] ?? []).count }
      let count = attributes.afterNeeds ? min(listed, attributes.after.count) : attributes.after.count
      module.after = Array(attributes.after[..<count])
      module.afterNeeds = Array(attributes.after[count...])
      module.state = "\(entry.state)"
      module.location = entry.location ?? json["at"] as? String
      return module
    }
  }

  // MARK: - Entries

  /// Adds the implementations in the manager, followed by the ones in its parents.
  mutating func addServices(_ core: ServiceCore) {
    let locations = Dictionary(
      records[.service, default: []].map { record in
        let json = record.json
        return ([json["class"], json["name"], (json["protocol"] as? String)?.lastName] as [Any?], json["at"])
      }.map { ($0.0.map { $0 as? String }, $0.1 as? String) }, uniquingKeysWith: { first, _ in first })
    var selected: Set<[String?]> = []
    for core in core.lineage.map(\.current) {
      let conditions = core.conditions
      let services = core.state.withLock { Implementations.all(&$0, conditions) }
      for service in services {
        for candidates in service.candidates {
          let isFirst = candidates.selected != nil && selected.insert([service.name, candidates.name]).inserted
          for implementation in candidates.included + candidates.excluded {
            // For registrations in code, `implementation` contains more than the location.
            let provider = implementation.location ?? implementation.implementation
            var entry = entry(
              .service, service.name, named: candidates.name, by: provider, in: implementation.image,
              priority: implementation.rank.priority)
            entry.isSelected = isFirst && implementation === candidates.selected
            entry.scope = "\(implementation.scope)"
            entry.replaces = implementation.options?.replaces
            entry.condition = implementation.options?.condition?.description
            entry.location =
              locations[[provider, candidates.name, service.name.lastName]] ?? entry.location
            entries.append(entry)
            if !implementation.isIncluded(by: conditions) { excluded.insert(entry) }
          }
        }
      }
    }
  }

  mutating func addEvents(_ events: [(event: String, types: String, handlers: [BoundHandler])]) {
    for (event, types, handlers) in events {
      for subscriber in handlers.map(\.subscriber) {
        let priority = (subscriber as? ModuleEntry)?.attributes.priority ?? 0
        var entry = entry(.event, event, by: subscriber.name, in: subscriber.image, priority: priority)
        entry.type = types.recordForm
        entries.append(entry)
      }
    }
  }

  /// Adds the handlers of routes and actions in the router's order of preference.
  mutating func addRoutes(_ router: RouterContents) {
    let all = Dictionary(
      [RecordKind.route, .action].flatMap { records[$0, default: []] }.map { ($0.record.address, $0.json) },
      uniquingKeysWith: { first, _ in first })
    func add(_ entry: Entry, _ json: [String: Any]?) {
      var entry = entry
      entry.location = json?["at"] as? String ?? entry.location
      entries.append(entry)
      spellings[entry] = json?["route"] as? String
    }
    for handler in router.handlers {
      let info = handler.info
      let key = info.action.map { "\(info.id).\($0)" } ?? info.id
      var entry = entry(info.action == nil ? .route : .action, key, by: info.handler, in: info.image)
      entry.isSelected = handler.isUsed
      entry.type = "\(recordName(of: info.parameters)) → \(recordName(of: info.outcome))"
      entry.access = .init(origin: "\(info.access)", patterns: info.patterns.map(\.description))
      add(entry, handler.record.flatMap { all[$0.address] })
    }
    // The router can't read routes and actions that belong to another actor, so use their records.
    for record in router.unread {
      let json = all[record.address] ?? [:]
      func text(_ member: String) -> String? { json[member] as? String }
      let key = text("route") ?? "\(text("target") ?? "").\(text("action") ?? "")"
      let provider = text("handler") ?? text("class") ?? ""
      add(entry(record.kind == .route ? .route : .action, key, by: provider, in: record.image), json)
    }
  }

  mutating func addContributions(_ core: ServiceCore) {
    for core in core.lineage.map(\.current) {
      core.scanContributions()
      let conditions = core.conditions
      core.state.withLock { state in
        for group in state.groups.all {
          guard let key = group.key.point else { continue }
          for contribution in group.entries + group.conditional {
            var entry = entry(
              .point, key, named: contribution.name, by: contribution.location ?? contribution.implementation,
              in: contribution.image, priority: contribution.rank.priority)
            entry.isSelected = contribution.isIncluded(by: conditions)
            entry.type = group.key.typeName
            entry.condition = contribution.options?.condition?.description
            entries.append(entry)
            if !entry.isSelected { excluded.insert(entry) }
          }
        }
      }
    }
  }

  // MARK: - Needs

  /// Returns the needs in records, with the Swift modules that satisfy them.
  ///
  /// Records spell names as the source does, so the end of a name is enough to match. If a need's
  /// record states the type of the service, the full name must match.
  func needs(_ process: RegistrySnapshot.Process) -> [RegistrySnapshot.Need] {
    var providers: [[String?]: [(key: String, feature: String)]] = [:]
    func add(_ kind: RegistrySnapshot.Kind, _ spelling: String, _ name: String?, _ key: String, _ feature: String) {
      for end in spelling.ends { providers[[kind.rawValue, end, name], default: []].append((key, feature)) }
    }
    // The key of a point is its identifier, which records don't contain.
    let points = Dictionary(
      records[.contribution, default: []].map {
        ($0.json["handler"] as? String ?? "", $0.json["point"] as? String ?? "")
      }, uniquingKeysWith: { first, _ in first })
    for entry in process.entries where !excluded.contains(entry) {
      let spelling = (entry.kind == .point ? points[entry.provider] : spellings[entry]) ?? entry.key
      add(entry.kind, spelling, entry.kind == .service ? entry.name : nil, entry.key, entry.feature)
    }
    for module in process.modules { add(.module, module.name, nil, module.name, module.feature) }
    let needs = records[.need, default: []].compactMap { record -> RegistrySnapshot.Need? in
      let attributes = try? record.record.withJSON { json throws(JSONError) in try NeedAttributes(json) }
      guard let attributes else { return nil }
      let dependent = attributes.dependent ?? attributes.location ?? record.record.image.name
      let kind = RegistrySnapshot.Kind(attributes.subject)
      let type = kind == .service ? record.record.servedType.map { recordName(of: $0) } : nil
      let target = type ?? attributes.target.replacingOccurrences(of: "::", with: ".")
      let found = (providers[[kind.rawValue, String(target.drop { $0 == "." }), attributes.name]] ?? [])
        .filter { type == nil || $0.key == type }
      var need = RegistrySnapshot.Need(
        kind: kind, key: found.first?.key ?? target, isOptional: attributes.isOptional, dependent: dependent,
        feature: feature(dependent))
      need.name = attributes.name
      need.image = name(record.record.image)
      need.location = attributes.location
      for (_, feature) in found where !need.providers.contains(feature) { need.providers.append(feature) }
      return need
    }
    return needs.sorted { ($0.feature, $0.dependent, $0.key) < ($1.feature, $1.dependent, $1.key) }
  }
}

extension RegistrySnapshot.Kind {
  /// Creates the kind for the subject of a need.
  package init(_ subject: NeedAttributes.Subject) {
    self = subject == .service ? .service : Self(rawValue: subject.rawValue)!
  }
}

extension String {
  fileprivate var lastName: String { lastIndex(of: ".").map { String(self[index(after: $0)...]) } ?? self }

  /// The name without a leading dot, and the text after each other dot.
  fileprivate var ends: [String] {
    let parts = split(separator: ".")
    return parts.indices.map { parts[$0...].joined(separator: ".") }
  }
}
