public import Lifecycle
public import Registry

extension ModuleManager {
  /// Returns a report of the manager's records, diagnostics, and suspicious settings, its modules
  /// in setup order, and each event's subscribers.
  ///
  /// The report includes the report of `context.services`, and shows where code or a manifest
  /// registered a module. The method scans for new images, looks up the classes that C records and
  /// manifests name, and evaluates the points of contributions. It doesn't set up modules.
  ///
  /// ```swift
  /// import RegistryReports
  ///
  /// print(ModuleManager.shared.report())
  /// ```
  public func report() -> RegistryReport {
    let (feed, entries) = inspect()
    let services = context.permanentServices.report()
    let records = feed.images.flatMap(\.records)
    let own = Set(of: records.map(\.address))
    // The service manager's report already lists the images that the manager cannot read yet.
    let unread = context.permanentServices.readsImages ? [] : feed.unreadImages
    return RegistryReport(
      sections: [
        ("Modules, in setup order", reportedModules(entries)),
        ("Events, with their subscribers in calling order", reportedEvents(entries) + unreadHandlers(feed)),
      ]
        + Self.namesSection(
          "Settings", context.configuration,
          given: context.configuration.setNames.filter { context.launch.reads?[$0] != nil },
          other: (context.launch, "launch"))
        + Self.namesSection(
          "Launch values", context.launch, given: context.launch.setNames.filter { !$0.isReserved },
          other: (context.configuration, "configuration"))
        + sharedSection() + services.sections,
      records: records + services.records.filter { !own.contains($0.address) },
      diagnostics: services.diagnostics + context.log.diagnostics + unread)
  }

  /// Returns the handled events with their types, and their handlers in calling order.
  package func handlers(
    of entries: [ModuleEntry]
  ) -> [(event: String, types: String, handlers: [BoundHandler])] {
    let index = EventIndex()
    _ = index.collect(entries)
    return index.byID.ordered { $0.key < $1.key }.map { id, event in
      // Deferred handlers run after all others.
      let handlers = event.list?.handlers ?? []
      let deferred = handlers.filter { $0.handler.work == .deferred }
      return (id, event.types, handlers.filter { $0.handler.work != .deferred } + deferred)
    }
  }

  private func reportedModules(_ entries: [ModuleEntry]) -> [String] {
    let subscribers = Set(of: handlers(of: entries).flatMap { $0.handlers.map { ObjectIdentifier($0.subscriber) } })
    let exported = exportedServices()
    let needs = RecordSource.records { _ in true }.records(of: .need).compactMap { try? Need($0) }
    // The Swift modules that state needs.
    let features = Set(of: needs.compactMap { $0.location?.prefix { $0 != "/" } })
    let isTold =
      context.permanentServices.core.lineage.contains { $0 === ServiceManager.shared.core }
      || context.log.diagnostics.contains { $0.code == .sharedServices }
    let properties = Dictionary(
      grouping: isTold ? [] : needs.filter(\.isProperty), by: { $0.dependent ?? "" })
    return entries.filter { !$0.isHandler }.enumerated().flatMap { index, entry -> [String] in
      let attributes = entry.attributes
      let after =
        attributes.after.isEmpty
        ? ""
        : ", after \(attributes.after.quotedList("and"))" + (attributes.afterNeeds ? " (in part because of needs)" : "")
      let isIdle = entry.state == .inactive && !subscribers.contains(ObjectIdentifier(entry))
      let withoutNeeds = attributes.afterNeeds && !features.contains(entry.name.prefix { $0 != "." })
      let services = entry.identity.flatMap { exported[ObjectIdentifier($0)] } ?? []
      let location = entry.location.map { ", registered at \($0.escapedForDisplay())" } ?? ""
      // Use separate statements: the type checker takes more than a second for one expression.
      var lines = [
        "\(index + 1). \(entry.label), \(attributes.level), priority \(attributes.priority)\(after)"
          + "\(location): \(isIdle ? "handles no event, so it is never created" : entry.state.text)"
      ]
      #if DEBUG
      if hasRunEnded(entry) {
        lines[0] += "; its 'run' has returned or it has none, which does not stop the manager"
        if (entry.identity as? any AsyncModule.Type)?.successTerminationBehavior == .continues {
          lines[0] += "; to stop it then, return '.stopsManager' from 'successTerminationBehavior'"
        }
      }
      #endif
      if withoutNeeds {
        lines.append(
          "  'afterNeeds' has no effect, because its Swift module states no needs with '@Service' or '#needs'")
      }
      for need in properties[entry.name] ?? [] {
        lines.append(
          "  the property at \((need.location ?? "").escapedForDisplay()) uses 'ServiceManager.shared', which this"
            + " manager does not; pass 'services: .shared' to it, or 'in:' to the attribute")
      }
      for service in services.ordered(by: <) {
        lines.append(
          "  lookups of \(service.quotedForDisplay()) create another instance of the class; register the module itself in"
            + " 'setUp', as in 'context.services.register(P.self) { self }', or move the service to another type")
      }
      return lines
    }
  }

  /// Returns the services that each type implements, except services with a separate instance.
  private func exportedServices() -> [ObjectIdentifier: Set<String>] {
    var services: [ObjectIdentifier: Set<String>] = [:]
    for core in context.permanentServices.core.lineage.map(\.current) {
      let conditions = core.conditions
      core.state.withLock { state in
        for service in Implementations.all(&state, conditions) {
          for entry in service.candidates.flatMap(\.included) where !entry.hasSeparateInstance {
            if let type = entry.instanceType { services[ObjectIdentifier(type), default: []].add(service.name) }
          }
        }
      }
    }
    return services
  }

  private func reportedEvents(_ entries: [ModuleEntry]) -> [String] {
    let active = entries.filter { $0.receivesEvents || $0.state == .consumed }
    // Use separate statements: the type checker takes more than a second for one expression.
    var lines: [String] = []
    for (event, _, handlers) in handlers(of: active) {
      lines.append(event.isEmpty ? "'', which should be 'feature.whatHappened'" : event.escapedForDisplay())
      var locations: Set<String> = []
      for (index, (subscriber, handler)) in handlers.enumerated() {
        // The level and the priority determine the order.
        let attributes = (subscriber as? ModuleEntry)?.attributes
        var order = attributes?.level == .basic ? ", basic" : ""
        if let priority = attributes?.priority, priority != 0 { order += ", priority \(priority)" }
        let timing = handler.timing == .afterApp ? ", after the app's own handling" : ""
        let activation =
          subscriber.isInactive
          ? ", which is created then"
          : (subscriber as? ModuleEntry)?.state == .consumed ? ", was called once and waits for the next start" : ""
        let work = handler.work == .deferred ? ", later, so neither 'trigger' nor 'stop()' waits for it" : ""
        let repetition = subscriber.repetition(&locations)
        lines.append("  \(index + 1). \(subscriber.label)\(order)\(timing)\(work)\(activation)\(repetition)")
      }
      for name in subscribersMissing(event) {
        lines.append(
          "  was triggered in a 'setUp' before \(name.quotedForDisplay()) was set up, which did not receive it; trigger"
            + " it in 'initialize'")
      }
      #if DEBUG
      if let rule = handlers.lazy.compactMap(\.handler.rule).first {
        lines.append("  without an answer, the outcome is \(rule.initial())")
      }
      for name in handlersAfter(event) {
        guard let late = handlers.first(where: { $0.subscriber.name == name })?.subscriber else { continue }
        lines.append(
          "  was triggered before \(name.quotedForDisplay()) "
            + ((late as? ModuleEntry)?.isHandler == false
              ? "was set up, which did not receive it; pass 'replaysMissedPhases: true' with the module"
              : "added its handler, which did not receive it; subscribe with 'subscribe' or '#onEvent', or add the handler"
                + " earlier"))
      }
      #endif
    }
    let known = handlers(of: active).map(\.event)
    for event in unhandledEvents {
      lines.append(
        "\(event.escapedForDisplay()), which was triggered, and no module or handler handles"
          + event.suggestion(in: known))
    }
    return lines
  }

  /// Returns a line about the `#onEvent` handlers that a manager without records doesn't call.
  private func unreadHandlers(_ feed: RecordFeed) -> [String] {
    guard feed.source.isEmpty else { return [] }
    let count = RecordSource.loadedImages.records(of: .handler).count
    return count == 0
      ? [] : ["this manager reads no records, so it does not call the \(count.counted("handler")) of '#onEvent'"]
  }

  /// Returns a section that lists what this manager and `.shared` both run or, if `.shared` hasn't
  /// started, what code gave to the shared managers. Returns no section if there is nothing to
  /// list, if this manager is `.shared`, or if it hasn't started.
  func sharedSection(_ shared: ModuleManager = .shared) -> [RegistryReport.Section] {
    guard self !== shared, isStarted else { return [] }
    if shared.isStarted {
      // Skip handlers without an image: each module adds its own in each manager.
      func running(_ modules: ModuleManager) -> [String] {
        modules.registry.entries.all.filter { $0.state == .setUp && (!$0.isHandler || $0.image != nil) }.map(\.name)
      }
      let both = Set(of: running(shared)).intersection(running(self))
      return both.isEmpty
        ? []
        : [
          (
            "Modules and handlers that '.shared' runs, too; start one manager, or give each its own records",
            both.ordered(by: <).map { $0.quotedForDisplay() }
          )
        ]
    }
    var lines: [String] = []
    let services = ServiceManager.shared.core
    if !context.permanentServices.core.lineage.contains(where: { $0 === services }) {
      let core = services.current
      let entries = core.state.withLock { state in
        state.groups.all.flatMap { group in group.entries.map { (group.key.text, $0) } }
      }
      for (service, entry) in entries where entry.location != nil && !entry.isOverride {
        lines.append("\(entry.label), for \(service.quotedForDisplay()); use 'context.services'")
      }
      for condition in core.conditions.subtracting(context.permanentServices.core.conditions) {
        guard case .flag(let flag) = condition else { continue }
        lines.append("the flag \(flag.quotedForDisplay()); insert it in 'context.services.conditions'")
      }
    }
    for entry in shared.registry.entries.all where entry.image == nil {
      lines.append("\(entry.name.quotedForDisplay()); register it with this manager")
    }
    for name in shared.context.configuration.setNames {
      lines.append("the setting \(name.quotedForDisplay()); set it in this manager's configuration")
    }
    if shared.requiresNeeds { lines.append("'requireAllNeeds()'; call it on this manager") }
    if lines.isEmpty { return [] }
    return [("Given to '.shared', which this manager does not use", lines.ordered(by: <))]
  }

  /// Returns a section about values that are probably wrong, or no section.
  ///
  /// There is none if no values were given or read, or if reads aren't recorded, as in a release
  /// build. `given` adds names to check, and `other` is the collection that code may read instead.
  private static func namesSection(
    _ title: String, _ values: ContextValues, given: [String], other: (values: ContextValues, property: String)
  ) -> [RegistryReport.Section] {
    let observed = values.observedNames.filter { values.given[$0] != nil || values.setNames.contains($0) }
    let given = Set(of: given + values.given.keys + observed)
    guard let reads = values.reads, !(given.isEmpty && reads.isEmpty) else { return [] }
    var lines: [String] = []
    for name in given.ordered(by: <) where reads[name] == nil {
      let nested = reads.keys.filter { $0.hasPrefix("\(name).") }.ordered(by: <)
      let hint =
        if observed.contains(name) {
          "; 'observe' does not deliver the current value, so read it once"
        } else if other.values.reads?[name] != nil {
          "; code reads it from 'context.\(other.property)'"
        } else if nested.isEmpty {
          name.suggestion(in: reads.keys)
        } else {
          "; code reads \(nested.quotedList("and")), and a dot is part of a name, not a path; give each whole name"
        }
      lines.append("\(name.quotedForDisplay()) is given, and no code has read it\(hint)")
    }
    for (name, types) in reads.ordered(by: { $0.key < $1.key }) where types.count > 1 {
      lines.append(
        "\(name.quotedForDisplay()) is used as \(types.quotedList("and")); declare the key once, or give each its own name"
      )
    }
    return [("\(title) that look wrong", lines)]
  }
}

extension Subscriber {
  fileprivate var label: String { name.quotedForDisplay() + (image.map { " (\($0))" } ?? "") }

  /// Returns a remark about a handler that code added repeatedly at the same location.
  fileprivate func repetition(_ locations: inout Set<String>) -> String {
    guard image == nil, (self as? ModuleEntry)?.isHandler == true else { return "" }
    if locations.insert(String(name.prefix { $0 != "#" })).inserted { return "" }
    return ", added again at the same location; releasing its token does not end it, so call 'cancel()', or let a"
      + " module add it in 'setUp' with 'context.on', so that it ends with the module"
  }
}

extension ModuleEntry {
  package var receivesEvents: Bool { ![.consumed, .shuttingDown, .removed].contains(state) }
}

extension ModuleEntry.State {
  fileprivate var text: String {
    switch self {
    case .known: "not set up"
    case .inactive: "waits for its first event; 'setUp' has not run"
    case .settingUp: "being set up"
    case .setUp: "set up"
    case .consumed: "called"
    case .shuttingDown: "shutting down"
    case .removed: "removed"
    }
  }
}
