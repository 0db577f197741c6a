internal import Registry

@MainActor final class ConfigurationObservers {
  private final class Observer {
    /// The closure to call. Cancellation sets it to nil, because the closure can own the token.
    var deliver: ((ContextValues, ContextValues) -> Void)?

    init(_ deliver: @escaping (ContextValues, ContextValues) -> Void) {
      self.deliver = deliver
    }
  }

  /// The maximum number of changes in a chain. A longer chain is reported as endless.
  static let limit = 10_000

  var didChange: (@MainActor (ConfigurationChange) -> Void)?
  /// The owner that each configuration of the context gets.
  let owner: ContextValuesOwner?
  private let log: DiagnosticLog
  /// The configuration after the last change. It shares storage with the context's configuration.
  private var current: ContextValues
  private var observers: [Observer] = []
  /// The closures that deliver a chain's changes. Each is set to nil when it's called, to release
  /// the configurations that it captures.
  private var queue: [(@MainActor () -> Void)?] = []
  private var isDelivering = false
  /// A Boolean value that indicates whether the current chain was reported as endless.
  private var hasReportedChain = false

  init(_ configuration: ContextValues, _ log: DiagnosticLog) {
    current = configuration
    owner = configuration.owner
    self.log = log
  }

  func add(
    for owner: OwnedRegistrations?, _ deliver: @escaping (ContextValues, ContextValues) -> Void
  ) -> RegistrationToken {
    let observer = Observer(deliver)
    observers.append(observer)
    let token = RegistrationToken.onMainActor { [weak self, weak observer] in
      // The closure can own an object that cancels the token again when it's destroyed.
      guard let observer, observer.deliver.take() != nil else { return false }
      self?.observers.remove(observer)
      return true
    }
    owner?.add(observer, token)
    return token
  }

  func configurationDidChange(to new: ContextValues) {
    let old = current
    current = new
    let names = old.names(changedIn: new)
    guard !names.isEmpty else { return }
    guard queue.count < Self.limit else { return reportChain(names) }
    // Observers that are added later don't receive the change.
    queue.append { [observers] in
      for observer in observers { observer.deliver?(old, new) }
      self.didChange?(ConfigurationChange(names: names))
    }
    guard !isDelivering else { return }
    isDelivering = true
    var next = 0
    while next < queue.count, let deliver = queue[next].take() {
      next += 1
      deliver()
    }
    queue = []
    isDelivering = false
    hasReportedChain = false
  }

  private func reportChain(_ names: [String]) {
    guard !hasReportedChain else { return }
    hasReportedChain = true
    let changed = names.prefix(8).joined(separator: "', '").escapedForDisplay()
    log.report(
      .error, .tooDeep, "configuration",
      "observers changed '\(changed)' more than \(Self.limit) times in response to one change, so the last change is not"
        + " delivered; check whether an observer changes the value that it observes")
  }
}
