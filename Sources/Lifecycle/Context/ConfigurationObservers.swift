internal import Registry

/// The observers of one context's configuration.
@MainActor final class ConfigurationObservers {
  /// A change that is to be delivered.
  private struct Change {
    let old: ContextValues
    let new: ContextValues
    let names: [String]
    /// The number of the change, in the order in which changes are made.
    let number: Int
    /// The number of changes that led to this one, each made by an observer of the one before.
    let depth: Int
  }

  /// An observer of changes.
  private final class Observer {
    /// The closure to call, or nil after the observation was canceled. The closure can own the
    /// token, so cancellation must release it.
    var deliver: ((ContextValues, ContextValues) -> Void)?
    /// The number of the last change before the observation began.
    let since: Int

    init(since: Int, deliver: @escaping (ContextValues, ContextValues) -> Void) {
      self.since = since
      self.deliver = deliver
    }
  }

  /// The number of nested changes beyond which a chain of changes counts as endless.
  static let depthLimit = 100
  /// The number of changes that one change may lead to.
  ///
  /// The limit of depth alone is not enough: if each notification makes two changes, the changes
  /// double with each level, so the depth would never be reached.
  static let countLimit = 10_000

  /// A closure that triggers the event for a changed configuration.
  var didChange: (@MainActor (ConfigurationChange) -> Void)?
  private let log: DiagnosticLog
  /// The configuration after the last change. It shares its storage with the context's
  /// configuration until that changes.
  private var current: ContextValues
  private var observers: [Observer] = []
  private var changeCount = 0
  /// The change that is being delivered, and those that follow it.
  private var queue: [Change] = []
  /// The depth of the change that is being delivered, or zero.
  private var depth = 0
  /// A Boolean value that indicates whether the current chain of changes was reported as endless.
  private var hasReportedChain = false

  init(_ configuration: ContextValues, _ log: DiagnosticLog) {
    current = configuration
    self.log = log
  }

  /// Adds an observer, which receives all later changes.
  func add(
    for owner: OwnedRegistrations?, _ deliver: @escaping (ContextValues, ContextValues) -> Void
  ) -> RegistrationToken {
    let observer = Observer(since: changeCount, deliver: deliver)
    observers.append(observer)
    let token = RegistrationToken.onMainActor { [weak self, weak observer] in
      guard let observer, observer.deliver != nil else { return false }
      observer.deliver = nil
      self?.observers.removeAll { $0 === observer }
      return true
    }
    owner?.add(observer, token)
    return token
  }

  /// Delivers a change of the configuration to all observers.
  func configurationDidChange(to new: ContextValues) {
    let old = current
    current = new
    let names = old.names(changedIn: new)
    guard !names.isEmpty else { return }
    guard depth < Self.depthLimit, queue.count < Self.countLimit else { return reportChain(names) }
    changeCount += 1
    queue.append(Change(old: old, new: new, names: names, number: changeCount, depth: depth + 1))
    guard depth == 0 else { return }
    var next = 0
    while next < queue.count {
      let change = queue[next]
      next += 1
      depth = change.depth
      deliver(change)
    }
    queue = []
    depth = 0
    hasReportedChain = false
  }

  private func deliver(_ change: Change) {
    for observer in observers where observer.since < change.number {
      observer.deliver?(change.old, change.new)
    }
    didChange?(ConfigurationChange(names: change.names))
  }

  /// Reports that a change led to changes without an end, once for each chain.
  private func reportChain(_ names: [String]) {
    guard !hasReportedChain else { return }
    hasReportedChain = true
    let changed = names.prefix(8).joined(separator: "', '").escapedForDisplay()
    let limit = depth < Self.depthLimit ? Self.countLimit : Self.depthLimit
    log.report(
      Diagnostic(
        severity: .error, code: .tooDeep, subject: "configuration", image: nil,
        message:
          "observers changed '\(changed)' more than \(limit) times in response to one change, so the last change is not"
          + " delivered; check whether an observer changes the value that it observes"),
      always: true)
  }
}
