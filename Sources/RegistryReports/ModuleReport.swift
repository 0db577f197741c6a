public import Lifecycle
public import Registry

extension ModuleManager {
  /// Returns every record in the manager's images, every diagnostic so far, the modules in set-up
  /// order, and the subscribers of each event.
  ///
  /// The report includes the one of ``Lifecycle/Context/services``. It shows where code or a
  /// manifest registered a module.
  ///
  /// The method scans for new images and looks up the classes that C records name. It sets nothing
  /// up.
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
    // The service manager has already reported its own images that cannot be read yet.
    let unread = context.permanentServices.readsImages ? [] : feed.unreadImages
    return RegistryReport(
      sections: [
        RegistryReport.Section("Modules, in set-up order", Self.reportedModules(entries)),
        RegistryReport.Section("Events, with their subscribers in calling order", reportedEvents(entries)),
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
      return "\(index + 1). \(entry.label), \(attributes.level), priority \(attributes.priority)\(after)"
        + "\(location): \(entry.state.text)"
    }
  }

  private func reportedEvents(_ entries: [ModuleEntry]) -> [String] {
    let active = entries.filter { ![.consumed, .shuttingDown, .removed].contains($0.state) }
    // Separate statements, because the type checker takes more than a second for one expression.
    var lines: [String] = []
    for (event, handlers) in handlers(of: active) {
      lines.append(event.escapedForDisplay())
      for (index, handler) in handlers.enumerated() {
        let timing = handler.timing == .afterApp ? ", after the app's own handling" : ""
        let activation = handler.subscriber.isInactive ? ", which is created then" : ""
        lines.append("  \(index + 1). \(handler.subscriber.label)\(timing)\(activation)")
      }
    }
    return lines
  }
}

extension Subscriber {
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
