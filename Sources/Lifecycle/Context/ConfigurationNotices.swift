internal import Registry

/// Tells of changes of one context's configuration, one after the other.
@MainActor final class ConfigurationNotices {
  /// A change, as it is to be told.
  private struct Change {
    let old: ContextValues
    let new: ContextValues
    let names: [String]
    /// In order of changes.
    let number: Int
    /// One more than that of the change in whose notice it was made.
    let depth: Int
  }

  /// Changes in notices of changes, beyond which there is no end in sight, as of events within events.
  static let depthLimit = Dispatch.depthLimit
  /// Changes in the course of one: two in each notice would not end before the depth's limit does.
  static let countLimit = 10_000

  weak var manager: ModuleManager?
  private let log: DiagnosticLog
  /// The configuration as of the last change. It shares its memory with the context's until that is changed.
  private var seen: ContextValues
  private var observations: [ConfigurationObservation] = []
  private var changes = 0
  /// What is being told, and what waits behind it.
  private var queue: [Change] = []
  /// Of the change that is being told; zero if none is.
  private var depth = 0
  /// Whether it was said already, of the changes that are being told, that there are too many.
  private var hasRefused = false

  init(_ configuration: ContextValues, _ log: DiagnosticLog) {
    seen = configuration
    self.log = log
  }

  func add(_ deliver: @escaping (ContextValues, ContextValues) -> Void) -> ConfigurationObservation {
    let observation = ConfigurationObservation(self, since: changes, deliver: deliver)
    observations.append(observation)
    return observation
  }

  func remove(_ observation: ConfigurationObservation) { observations.removeAll { $0 === observation } }

  /// Takes note of the configuration after a change, and tells whoever wants to know.
  func note(_ new: ContextValues) {
    let old = seen
    seen = new
    let names = old.names(changedIn: new)
    guard !names.isEmpty else { return }
    guard depth < Self.depthLimit, queue.count < Self.countLimit else { return refuse(names) }
    changes += 1
    queue.append(Change(old: old, new: new, names: names, number: changes, depth: depth + 1))
    guard depth == 0 else { return }
    var next = 0
    while next < queue.count {
      let change = queue[next]
      next += 1
      depth = change.depth
      tell(change)
    }
    queue = []
    depth = 0
    hasRefused = false
  }

  private func tell(_ change: Change) {
    for observation in observations where observation.since < change.number {
      observation.deliver?(change.old, change.new)
    }
    guard let manager, manager.state == .starting || manager.state == .running else { return }
    manager.trigger(.configurationDidChange, ConfigurationChange(names: change.names))
  }

  /// Says once, of all changes that one led to, that there is no end in sight.
  private func refuse(_ names: [String]) {
    guard !hasRefused else { return }
    hasRefused = true
    log.report(
      Diagnostic(
        severity: .error, code: .tooDeep, subject: "configuration", image: nil,
        message:
          "\(names.prefix(8).joined(separator: ", ").escapedForDisplay()) changed in a notice of a change, and so on"
          + " more than \(depth < Self.depthLimit ? Self.countLimit : Self.depthLimit) times; nobody is told of that one: does a"
          + " notice change what it is told of?"),
      always: true)
  }
}
