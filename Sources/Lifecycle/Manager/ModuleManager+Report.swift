public import Registry

extension ModuleManager {
  /// Returns every record in the manager's images, every diagnostic so far, the modules in set-up
  /// order, and the subscribers of each event.
  ///
  /// The report includes that of ``Context/services``. A module that code or a manifest registered
  /// has the file and the line, or the position in the manifest.
  ///
  /// The method scans for new images and looks up the classes that C records name. It sets nothing
  /// up.
  public func report() -> RegistryReport {
    launch.scan()
    let entries = launch.order()
    let services = context.permanentServices.report()
    let feed = launch.feed
    let records = feed.images.flatMap(\.records)
    let own = Set(of: records.map(\.address))
    // The service manager has already reported its own images that cannot be read yet.
    let unread = context.permanentServices.readsImages ? [] : feed.unreadImages
    return RegistryReport(
      sections: [
        RegistryReport.Section("Modules, in set-up order", Self.reportedModules(entries)),
        RegistryReport.Section("Events, with their subscribers in calling order", Self.reportedEvents(entries)),
      ] + services.sections,
      records: records + services.records.filter { !own.contains($0.address) },
      diagnostics: services.diagnostics + context.log.diagnostics + unread)
  }

  private static func reportedModules(_ entries: [ModuleEntry]) -> [String] {
    entries.filter { !$0.isHandler }.enumerated().map { index, entry in
      let attributes = entry.attributes
      let after =
        attributes.after.isEmpty
        ? ""
        : ", after \(attributes.after.quotedList("and"))" + (attributes.afterNeeds ? " (in part because of needs)" : "")
      let location = entry.location.map { ", registered at \($0.escapedForDisplay())" } ?? ""
      return "\(index + 1). \(entry.label), \(attributes.level.rawValue), priority \(attributes.priority)\(after)"
        + "\(location): \(entry.state.text)"
    }
  }

  private static func reportedEvents(_ entries: [ModuleEntry]) -> [String] {
    var events: [String: [(entry: ModuleEntry, handler: EventHandler)]] = [:]
    for entry in entries where ![.consumed, .shuttingDown, .removed].contains(entry.state) {
      for handler in entry.handlers {
        let subscribers = events["\(handler.id)", default: []]
        // The first handler determines the types of the event; see `EventIndex.collect(_:)`.
        if let first = subscribers.first?.handler, first.payload != handler.payload || first.outcome != handler.outcome
        {
          continue
        }
        events["\(handler.id)"] = subscribers + [(entry, handler)]
      }
    }
    return events.ordered { $0.key < $1.key }.flatMap { event, subscribers in
      let last = subscribers.filter { $0.handler.timing == .afterHost }
      let inOrder = subscribers.filter { $0.handler.timing != .afterHost } + last
      return [event.escapedForDisplay()]
        + inOrder.enumerated().map { index, subscriber in
          "  \(index + 1). \(subscriber.entry.label)"
            + (subscriber.handler.timing == .afterHost ? ", after the app's own handling" : "")
            + (subscriber.entry.state == .inactive ? ", which is created then" : "")
        }
    }
  }
}

extension ModuleEntry {
  /// The module or the handler with its image.
  fileprivate var label: String { name.quotedForDisplay() + (image.map { " (\($0))" } ?? "") }
}

extension ModuleEntry.State {
  /// The state in words.
  fileprivate var text: String {
    switch self {
    case .known: "not set up"
    case .inactive: "waits for its first event"
    case .settingUp: "being set up"
    case .setUp: "set up"
    case .consumed: "called"
    case .shuttingDown: "shutting down"
    case .removed: "removed"
    }
  }
}
