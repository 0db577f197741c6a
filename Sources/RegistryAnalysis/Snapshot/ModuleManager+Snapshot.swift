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
    #elseif arch(arm64) && objectFormat(ELF)
    process.architecture = "aarch64"
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
    process.entries = builder.entries.sorted { ($0.target, $0.rank) < ($1.target, $1.rank) }
    process.needs = builder.needs()
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

  private let records: [ExportedRecord]
  private(set) var images: [RegistrySnapshot.Image]
  /// The names of images in the snapshot; paths if several images share a name.
  private let imageNames: [LoadedImage: String]
  private(set) var entries: [Entry] = []
  private var counts: [RegistrySnapshot.Target: Int] = [:]
  /// The entries and modules that satisfy needs, by kind, end of the name, and name of the service.
  private var providers: [[String?]: [(key: String, feature: String)]] = [:]

  init(_ all: [ExportedRecord]) {
    records = all
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

  /// Adds an entry with the next rank in its group. `record` exports it, unless code or C does.
  private mutating func add(
    _ entry: Entry, of record: ExportedRecord?, in image: LoadedImage?, isProvider: Bool = true
  ) {
    var entry = entry
    counts[entry.target, default: 0] += 1
    entry.rank = counts[entry.target]!
    entry.image = image.map(name)
    entry.location = record?.member("at") ?? (entry.provider.contains("/") ? entry.provider : nil)
    entries.append(entry)
    guard isProvider else { return }
    let spelling = entry.kind == .service ? nil : record?.name
    addProvider(entry.kind, spelling ?? entry.key, named: entry.target.name, entry.key, entry.feature)
  }

  private func entry(
    _ kind: RegistrySnapshot.Kind, _ key: String, by provider: String, priority: Int = 0
  ) -> Entry {
    Entry(kind: kind, key: key, provider: provider, feature: feature(provider), priority: priority, rank: 0)
  }

  /// Adds what satisfies a need. Records spell names as the source does, so the end of a name is
  /// enough to match.
  private mutating func addProvider(
    _ kind: RegistrySnapshot.Kind, _ spelling: String, named name: String? = nil, _ key: String, _ feature: String
  ) {
    for end in spelling.ends {
      providers[[kind.rawValue, end, name], default: []].append((key, feature))
      // Needs for all implementations have no name.
      providers[[kind.rawValue, end], default: []].append((key, feature))
    }
  }

  mutating func modules(_ entries: [ModuleEntry], areOrdered: Bool = true) -> [RegistrySnapshot.Module] {
    // The records, with the modules that they list, because managers add to them.
    let own = Dictionary(
      records.filter { $0.kind == .module }.map { record in
        let recorded = try? record.withJSON { json throws(JSONError) in try ModuleAttributes(json) }
        return (recorded?.module, (record: record, listed: recorded.map { $0.after.count + $0.afterTypes.count }))
      }, uniquingKeysWith: { first, _ in first })
    return entries.enumerated().map { position, entry in
      let (attributes, own) = (entry.attributes, own[entry.attributes.module])
      var module = RegistrySnapshot.Module(
        name: attributes.module, feature: feature(attributes.module), level: "\(attributes.level)",
        priority: attributes.priority, activation: "\(attributes.activation)")
      module.image = entry.image.map(name)
      module.position = areOrdered ? position + 1 : nil
      // In `after`, names from needs follow the names that the record lists.
      let count = attributes.afterNeeds ? min(own?.listed ?? 0, attributes.after.count) : attributes.after.count
      module.after = Array(attributes.after[..<count])
      module.afterNeeds = Array(attributes.after[count...])
      module.state = "\(entry.state)"
      module.location = entry.location ?? own?.record.member("at")
      // As at the start, a need names the module completely, by either of its names.
      for name in Set([module.name] + (entry.identity.map { [recordName(of: $0)] } ?? [])) {
        providers[[RegistrySnapshot.Kind.module.rawValue, name, nil], default: []].append((module.name, module.feature))
      }
      return module
    }
  }

  // MARK: - Entries

  /// Adds the implementations in the manager, followed by the ones in its parents.
  mutating func addServices(_ core: ServiceCore) {
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
            var entry = entry(.service, service.name, by: provider, priority: implementation.rank.priority)
            entry.name = candidates.name
            entry.isSelected = isFirst && implementation === candidates.selected
            entry.scope = "\(implementation.scope)"
            entry.replaces = implementation.options?.replaces
            entry.condition = implementation.options?.condition?.description
            add(
              entry, of: implementation.record, in: implementation.image,
              isProvider: implementation.isIncluded(by: conditions))
          }
        }
      }
    }
  }

  mutating func addEvents(_ events: [(event: String, types: String, handlers: [BoundHandler])]) {
    for (event, types, handlers) in events {
      for subscriber in handlers.map(\.subscriber) {
        let priority = (subscriber as? ModuleEntry)?.attributes.priority ?? 0
        var entry = entry(.event, event, by: subscriber.name, priority: priority)
        entry.type = types.recordForm
        add(entry, of: nil, in: subscriber.image)
      }
    }
  }

  /// Adds the handlers of routes and actions in the router's order of preference.
  mutating func addRoutes(_ router: RouterContents) {
    for handler in router.handlers {
      let info = handler.info
      let key = info.action.map { "\(info.id).\($0)" } ?? info.id
      var entry = entry(info.action == nil ? .route : .action, key, by: info.handler)
      entry.isSelected = handler.isUsed
      entry.type = "\(recordName(of: info.parameters)) → \(recordName(of: info.outcome))"
      entry.access = .init(origin: "\(info.access)", patterns: info.patterns.map(\.description))
      add(entry, of: handler.record, in: info.image)
    }
    // The router can't read routes and actions that belong to another actor, so use their records.
    for record in router.unread {
      let provider = record.handlerName ?? record.typeName ?? ""
      add(
        entry(record.kind == .route ? .route : .action, record.name ?? "", by: provider), of: record, in: record.image)
    }
  }

  mutating func addContributions(_ core: ServiceCore) {
    var keys: Set<[String?]> = []
    for core in core.lineage.map(\.current) {
      core.scanContributions()
      let conditions = core.conditions
      core.state.withLock { state in
        for group in state.groups.all {
          guard let key = group.key.point else { continue }
          for contribution in (group.entries + group.conditional).sorted(by: { $0.rank < $1.rank }) {
            var entry = entry(
              .point, key, by: contribution.location ?? contribution.implementation,
              priority: contribution.rank.priority)
            entry.name = contribution.name
            let isIncluded = contribution.isIncluded(by: conditions)
            entry.isSelected =
              isIncluded && (group.key.isList || keys.insert([key, group.key.typeName, contribution.name]).inserted)
            entry.type = group.key.typeName
            entry.condition = contribution.options?.condition?.description
            add(entry, of: contribution.record, in: contribution.image, isProvider: isIncluded)
          }
        }
        // Only a lookup adds contributions of C code, or of another actor, to their group.
        for record in state.contributions.unread {
          let attributes = record.attributes
          var entry = entry(.point, attributes.point, by: attributes.location, priority: attributes.priority)
          entry.name = attributes.key
          entry.condition = attributes.condition?.description
          let isIncluded = attributes.condition.map { $0 == attributes.build || conditions.contains($0) } ?? true
          entry.isSelected = isIncluded
          add(entry, of: record.record, in: record.record.image, isProvider: isIncluded)
        }
      }
    }
  }

  // MARK: - Needs

  /// Returns the needs in records, with the Swift modules that satisfy them.
  ///
  /// If a need's record states the type of the service or module, the full name must match.
  func needs() -> [RegistrySnapshot.Need] {
    let needs = records.filter { $0.kind == .need }.compactMap { record -> RegistrySnapshot.Need? in
      let attributes = try? record.withJSON { json throws(JSONError) in try NeedAttributes(json) }
      guard let attributes else { return nil }
      let dependent = attributes.dependent ?? attributes.location ?? record.image.name
      let kind = RegistrySnapshot.Kind(attributes.subject)
      let type = kind == .service || kind == .module ? record.servedType.map { recordName(of: $0) } : nil
      let target = type ?? attributes.target.replacingOccurrences(of: "::", with: ".")
      let name = attributes.isAll ? [] : [attributes.name]
      let found = (providers[[kind.rawValue, String(target.drop { $0 == "." })] + name] ?? [])
        .filter { type == nil || kind == .module || $0.key == type }
      var need = RegistrySnapshot.Need(
        kind: kind, key: found.first?.key ?? target, isOptional: attributes.isOptional, dependent: dependent,
        feature: feature(dependent))
      need.name = attributes.name
      need.image = self.name(record.image)
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
  /// The name without a leading dot, and the text after each other dot.
  fileprivate var ends: [String] {
    let parts = split(separator: ".")
    return parts.indices.map { parts[$0...].joined(separator: ".") }
  }
}
