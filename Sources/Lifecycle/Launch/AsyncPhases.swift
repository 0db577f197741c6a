internal import Registry

/// The asynchronous phases of a manager's modules during one run.
///
/// The modules form a graph, which advances whenever a module has made progress. Everything runs on
/// the main actor, and nothing waits for a task: a task that ends, or a timer that expires first,
/// advances the graph. A module that never returns therefore holds up no other one.
@MainActor final class AsyncPhases {
  /// The reason for which everything is stopped.
  enum Reason {
    case requested
    case cancelled
    case failed(any Error)
  }

  private struct RemovedModules {
    /// The nodes of the modules that are not down, and the relays of the others, by name.
    var nodes: [String: [PhaseNode]] = [:]
    /// A Boolean value that indicates whether modules may wait for each other through removed ones.
    var haveFollowers = false
  }

  let launch: LaunchSequence
  let limits: PhaseLimits
  /// The first reason, or the first failure after a request; nil while nothing is stopped.
  private(set) var reason: Reason?
  /// A Boolean value that indicates whether the work of modules has no grace period.
  private(set) var isCanceled = false
  /// The task that ends the whole shutdown when it exceeds its time limit.
  private var deadline: Task<Void, Never>?

  /// All nodes that are not down, by their numbers.
  private var nodes: [Int: PhaseNode] = [:]
  /// The nodes of the modules that have not been removed.
  private var byEntry: [ObjectIdentifier: PhaseNode] = [:]
  private var removed = RemovedModules()
  /// A node that waits for all basic modules, and that all normal modules wait for. It needs one
  /// edge for each module instead of one for each pair.
  private let basicModules = PhaseNode(number: 0)
  private var count = 1
  /// The nodes that may be able to advance.
  private var due: [PhaseNode] = []
  private var isAdvancing = false
  private var isOver = false
  private var ending: CheckedContinuation<Void, Never>?
  private var idleContinuations: [CheckedContinuation<Void, Never>] = []

  init(_ launch: LaunchSequence, _ limits: PhaseLimits) {
    self.launch = launch
    self.limits = limits
    nodes[0] = basicModules
  }

  var isStopping: Bool { reason != nil }

  // MARK: - Adding and removing modules

  /// Adds modules, which are given in order and become ready as soon as possible.
  ///
  /// - Parameter areLate: A Boolean value that indicates whether a failure of a module concerns
  ///   only that module.
  func add(_ entries: [ModuleEntry], areLate: Bool) {
    guard !isStopping else { return }
    for entry in entries where entry.state == .setUp && node(of: entry) == nil { insert(entry, areLate) }
    due.append(basicModules)
    advance()
  }

  private func node(of entry: ModuleEntry) -> PhaseNode? { byEntry[ObjectIdentifier(entry)] }

  private func insert(_ entry: ModuleEntry, _ isLate: Bool) {
    let module = entry.hasAsyncPhases ? entry.instance as? any AsyncModule : nil
    let node = PhaseNode(
      number: count, entry: entry, module: module, isLate: isLate,
      shutdown: module == nil ? nil : GracefulShutdown())
    count += 1
    nodes[node.number] = node
    byEntry[ObjectIdentifier(entry)] = node
    let level = entry.attributes.level
    // Between levels, either all modules wait, or the name was reported and none waits.
    for name in entry.attributes.after {
      for other in launch.registry.entries.all(named: name) where other.attributes.level == level {
        if entry.refers(to: other, by: name), let other = self.node(of: other) { node.depend(on: other) }
      }
    }
    if level == .normal { node.depend(on: basicModules) }
    for other in removed.nodes[entry.identityName] ?? [] where other.entry?.isSame(as: entry) == true {
      node.follow(other)
    }
    // A module that is ready before others depend on it does not make them wait and become ready
    // again.
    if module == nil, node.unreadyCount == 0 { isNowReady(node) } else { due.append(node) }
    if level == .basic { basicModules.depend(on: node) }
    guard isLate else { return }
    // The modules that named this one before it was added, unless it waits for them through modules
    // that have been removed.
    let awaited = removed.haveFollowers ? node.allAwaited : []
    for other in launch.registry.followers(of: entry) where other.attributes.level == level {
      if let other = self.node(of: other), !awaited.contains(other.number) { other.depend(on: node) }
    }
  }

  /// Removes a module, which shuts down in the background after the removed modules that wait for
  /// it.
  ///
  /// - Returns: `true` if the module will be torn down here after its shutdown. The result is
  ///   `false` if it has nothing to shut down and no module to wait for.
  func remove(_ entry: ModuleEntry) -> Bool {
    guard let node = byEntry.removeValue(forKey: ObjectIdentifier(entry)) else { return false }
    if !node.dependents.isEmpty { removed.haveFollowers = true }
    if node.module == nil, node.shutdownBlockers == 0, !node.isHeld() {
      close(node)
      advance()
      return false
    }
    entry.beginShuttingDown()
    removed.nodes[entry.identityName, default: []].append(node)
    node.beginShutdown(.remove)
    due.append(node)
    advance()
    return true
  }

  /// Stops everything in reverse order.
  func stop(_ reason: Reason) {
    guard !isOver else { return }
    if case .cancelled = reason { cancelGracePeriods() }
    switch (self.reason, reason) {
    case (nil, _): self.reason = reason
    // Everything stops already, but the run must not end as if nothing had failed.
    case (.requested, .failed): return self.reason = reason
    default: return
    }
    launch.context.shutdown.begin()
    setDeadline()
    for node in nodes.values.ordered(by: { $0.number > $1.number }) {
      node.beginShutdown()
      due.append(node)
    }
    advance()
  }

  // MARK: - Advancing

  /// Advances every module that can.
  func advance(_ changed: PhaseNode...) {
    due.append(contentsOf: changed)
    // The outermost call advances modules that tear-downs affect.
    guard !isAdvancing else { return }
    isAdvancing = true
    while !due.isEmpty {
      let nodes = due
      due = []
      ModuleRegistry.steps += nodes.count
      for node in nodes {
        if node.relay?.isHolding == true, node.shutdownBlockers == 0 {
          node.relay?.isHolding = false
          due.append(contentsOf: node.dependencies.values)
        }
        if node.relay != nil, node.dependents.isEmpty || node.dependencies.isEmpty {
          close(node)
        } else if node.isShuttingDown {
          if node.shutdownBlockers == 0, !node.isHeld() { continueShutdown(node) }
        } else if node.state == .waiting, node.unreadyCount == 0 {
          beginBecomingReady(node)
        }
      }
    }
    isAdvancing = false
    if isStopping, nodes.isEmpty { finish() }
    guard !idleContinuations.isEmpty, isOver || nodes.values.allSatisfy(\.isIdle) else { return }
    let waiting = idleContinuations
    idleContinuations = []
    for continuation in waiting { continuation.resume() }
  }

  func isNowReady(_ node: PhaseNode) {
    node.state = .begun
    due.append(contentsOf: node.becomeReady())
  }

  /// Ends a node whose module has shut down or had nothing to shut down.
  func close(_ node: PhaseNode) {
    node.state = .down
    node.cancelTimer()
    node.tasks.phase = nil
    nodes[node.number] = nil
    let name = node.relay?.name ?? node.entry?.identityName ?? ""
    if node.goal == .remove || node.relay != nil {
      removed.nodes[name]?.removeAll { $0 === node }
      if removed.nodes[name]?.isEmpty == true { removed.nodes[name] = nil }
    }
    if let entry = node.entry {
      // From now on, the module is torn down like any other one.
      if self.node(of: entry) === node { byEntry[ObjectIdentifier(entry)] = nil }
      if node.goal == .remove {
        launch.tearDownRemoved(entry)
        launch.announceRemovals()
      }
    }
    // A module that is added and removed repeatedly leaves one relay.
    let isCovered = removed.nodes[name]?.contains { $0.relay != nil && node.isCovered(by: $0) } ?? false
    due.append(contentsOf: node.unlink(connects: !isCovered))
    guard node.relay != nil else { return }
    nodes[node.number] = node
    removed.nodes[name, default: []].append(node)
    if isStopping { node.beginShutdown() }
  }

  private func cancelGracePeriods() {
    isCanceled = true
    for node in nodes.values where node.state == .draining { cancelWork(node) }
  }

  private func setDeadline() {
    guard let nanoseconds = PhaseLimits.nanoseconds(limits.wholeShutdown) else { return }
    let sleep = launch.time.sleep
    deadline = ModuleWork.outside {
      Task {
        do { try await sleep(nanoseconds) } catch { return }
        guard !Task.isCancelled else { return }
        self.abandonAll()
      }
    }
  }

  /// Ends the shutdown, which has exceeded its time limit.
  private func abandonAll() {
    guard !isOver else { return }
    // Closing a module tears it down if it was removed, and its code can call the manager.
    isAdvancing = true
    for node in nodes.values.ordered(by: { $0.number > $1.number }) where node.state != .down {
      abandon(node)
      close(node)
    }
    isAdvancing = false
    advance()
  }

  private func finish() {
    guard !isOver else { return }
    isOver = true
    deadline?.cancel()
    deadline = nil
    launch.endRun()
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
  /// - Returns: `true` if there was something to wait for.
  func waitUntilIdle() async -> Bool {
    guard !isOver, !nodes.values.allSatisfy(\.isIdle) else { return false }
    await withCheckedContinuation { idleContinuations.append($0) }
    return true
  }
}
