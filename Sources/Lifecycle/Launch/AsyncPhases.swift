/// The asynchronous phases of a manager's modules, from the start of one ``ModuleManager/run(launch:limits:)`` to its end.
///
/// A graph of modules that goes on whenever one of them has got further. All of it is done on the main actor, and nothing here
/// waits for a task: a task that ends, and a timer that goes off before it does, say so. So a module that never comes back
/// holds nobody up.
@MainActor final class AsyncPhases {
  /// Why everything is stopped.
  enum Reason {
    case requested
    case cancelled
    case failed(any Error)
  }

  let manager: ModuleManager
  let limits: PhaseLimits
  /// The first is the one that counts.
  private(set) var reason: Reason?

  /// All that are not down, by number.
  private var nodes: [Int: PhaseNode] = [:]
  /// The nodes of the modules that were not taken out.
  private var byEntry: [ObjectIdentifier: PhaseNode] = [:]
  /// The nodes of modules that were taken out and are not down yet.
  private var leaving: [PhaseNode] = []
  /// Waits for all basic modules, and all normal ones for it: an edge for each module instead of one for each pair.
  private let levels = PhaseNode(number: 0)
  private var count = 1
  /// Those of which something may have changed.
  private var due: [PhaseNode] = []
  private var isAdvancing = false
  private var isOver = false
  private var ending: CheckedContinuation<Void, Never>?
  private var settling: [CheckedContinuation<Void, Never>] = []

  init(_ manager: ModuleManager, _ limits: PhaseLimits) {
    self.manager = manager
    self.limits = limits
    nodes[0] = levels
  }

  var isStopping: Bool { reason != nil }

  // MARK: - Modules that come and go

  /// Lets modules, given in order, become ready.
  ///
  /// - Parameter areLate: Whether a failure is their own.
  func add(_ entries: [ModuleEntry], areLate: Bool) {
    guard !isStopping else { return }
    for entry in entries where entry.state == .setUp && node(of: entry) == nil { insert(entry, areLate) }
    due.append(levels)
    advance()
  }

  private func node(of entry: ModuleEntry) -> PhaseNode? { byEntry[ObjectIdentifier(entry)] }

  /// Returns whether a node is of the same module as an entry: private types can share a name.
  private func isSameModule(_ node: PhaseNode, _ entry: ModuleEntry) -> Bool {
    node.entry.map { $0.runtimeName == entry.runtimeName && entry.isSame(as: $0) } == true
  }

  private func insert(_ entry: ModuleEntry, _ isLate: Bool) {
    let module = entry.hasAsyncPhases ? entry.instance as? any AsyncModule : nil
    let node = PhaseNode(number: count, entry: entry, module: module, isLate: isLate)
    count += 1
    nodes[node.number] = node
    byEntry[ObjectIdentifier(entry)] = node
    let level = entry.attributes.level
    // Of another level either all wait, or it is reported and nobody does.
    for name in entry.attributes.after {
      for other in manager.entries.all(named: name) where other.attributes.level == level {
        if let other = self.node(of: other) { node.depend(on: other) }
      }
    }
    if level == .basic { levels.depend(on: node) } else { node.depend(on: levels) }
    if isLate, manager.isAwaited(entry) {
      // Those that named it before it was there, unless it waits for them by way of modules that have gone.
      for other in nodes.values where !other.isLeaving && other.entry?.names(entry) == true {
        if !node.waits(for: other) { other.depend(on: node) }
      }
    }
    for other in leaving where isSameModule(other, entry) { node.succeed(other) }
    due.append(node)
  }

  /// Takes a module out: it shuts down in the background, after those that wait for it and were taken out as well.
  ///
  /// - Returns: Whether it is torn down by itself after that. If not it has nothing to shut down, and nobody to wait for.
  func leave(_ entry: ModuleEntry) -> Bool {
    guard let node = byEntry.removeValue(forKey: ObjectIdentifier(entry)) else { return false }
    if node.module == nil, node.holders == 0 {
      close(node)
      advance()
      return false
    }
    node.isLeaving = true
    entry.state = .leaving
    leaving.append(node)
    node.go()
    due.append(node)
    advance()
    return true
  }

  /// Stops everything, in reverse; unless that is under way.
  func stop(_ reason: Reason) {
    guard self.reason == nil, !isOver else { return }
    self.reason = reason
    for node in nodes.values.sorted(by: { $0.number > $1.number }) {
      node.go()
      due.append(node)
    }
    advance()
  }

  // MARK: - Going on

  /// Lets every module that something changed for get further.
  func advance(_ changed: PhaseNode...) {
    due.append(contentsOf: changed)
    // What tear-downs change is for the outermost call.
    guard !isAdvancing else { return }
    isAdvancing = true
    while !due.isEmpty {
      let nodes = due
      due = []
      for node in nodes {
        if node.isGoing {
          if node.holders == 0 { descend(node) }
        } else if node.state == .waiting, node.unready == 0 {
          ascend(node)
        }
      }
    }
    isAdvancing = false
    if isStopping, nodes.isEmpty { finish() }
    guard !settling.isEmpty, isOver || nodes.values.allSatisfy(\.isAtRest) else { return }
    let waiting = settling
    settling = []
    for continuation in waiting { continuation.resume() }
  }

  func isNowReady(_ node: PhaseNode) {
    node.state = .begun
    due.append(contentsOf: node.becomeReady())
  }

  /// Ends a node's part: it has shut down, or had nothing to.
  func close(_ node: PhaseNode) {
    node.state = .down
    node.disarm()
    node.phase = nil
    nodes[node.number] = nil
    if let entry = node.entry {
      // From now on it is torn down like any other, by whoever takes it out or by the end of the stop.
      if self.node(of: entry) === node { byEntry[ObjectIdentifier(entry)] = nil }
      if node.isLeaving {
        leaving.removeAll { $0 === node }
        manager.tearDownLate(entry)
        manager.announceUnmounts()
      }
    }
    due.append(contentsOf: node.takeOut())
  }

  private func finish() {
    guard !isOver else { return }
    isOver = true
    manager.endRun()
    ending?.resume()
    ending = nil
  }

  // MARK: - Waiting

  /// Waits until everything has been stopped.
  func ended() async {
    guard !isOver else { return }
    await withCheckedContinuation { ending = $0 }
  }

  /// Waits until nothing becomes ready or shuts down.
  ///
  /// - Returns: Whether there was something to wait for.
  func waitUntilIdle() async -> Bool {
    guard !isOver, !nodes.values.allSatisfy(\.isAtRest) else { return false }
    await withCheckedContinuation { settling.append($0) }
    return true
  }
}
