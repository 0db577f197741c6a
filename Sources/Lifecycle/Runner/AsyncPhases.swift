internal import Registry

/// The asynchronous phases of a manager's modules during one run.
///
/// The modules form a graph, which advances whenever a module makes progress. Everything runs on
/// the main actor. No code awaits a module's task: the end of the task advances the graph, or a
/// timer does if it expires first. A module can't block other modules beyond its time limits.
@MainActor final class AsyncPhases {
  let runner: ModuleRunner
  /// The time limits. Canceling the run removes the grace period.
  private(set) var limits: PhaseLimits
  private(set) var isStopping = false
  /// The error that the run throws: the first failure, or the cancellation that began the stop.
  private(set) var failure: (any Error)?
  private var deadline: Task<Void, Never>?

  private(set) var nodes: [Int: PhaseNode] = [:]
  private var byEntry: [ObjectIdentifier: PhaseNode] = [:]
  /// The nodes of removed modules that are still shutting down, and all relays, by module name.
  private var removed: [String: [PhaseNode]] = [:]
  /// A Boolean value that indicates whether modules may wait through removed modules.
  private var haveRemovedFollowers = false
  /// A node between the normal modules and the basic modules that they wait for, to save edges.
  private var basicModules: PhaseNode? { nodes[0] }
  private var count = 1
  private var due: [PhaseNode] = []
  private var isAdvancing = false
  private var isOver = false
  private let ending = WaitingTasks()
  private let idling = WaitingTasks()

  init(_ runner: ModuleRunner, _ limits: PhaseLimits) {
    self.runner = runner
    self.limits = limits
    limits.report(to: runner.log)
    nodes[0] = PhaseNode(number: 0)
  }

  // MARK: - Adding and removing modules

  /// Adds modules, given in module order. Each becomes ready after the modules that it waits for.
  ///
  /// - Parameter areLate: A Boolean value that indicates whether the manager removes a module that
  ///   doesn't become ready, instead of stopping.
  func add(_ entries: [ModuleEntry], areLate: Bool) {
    guard !isStopping, let basicModules else { return }
    for entry in entries where entry.state == .setUp && node(of: entry) == nil { insert(entry, areLate, basicModules) }
    advance(basicModules)
  }

  private func node(of entry: ModuleEntry) -> PhaseNode? { byEntry[ObjectIdentifier(entry)] }

  private func insert(_ entry: ModuleEntry, _ isLate: Bool, _ basicModules: PhaseNode) {
    let module = entry.hasAsyncPhases ? entry.instance as? any AsyncModule : nil
    let node = PhaseNode(number: count, entry: entry, module: module, isLate: isLate)
    count += 1
    nodes[node.number] = node
    byEntry[ObjectIdentifier(entry)] = node
    if module != nil { runner.workingModules.withLock { $0.byNumber[node.number] = entry } }
    let level = entry.attributes.level
    // Names matter only within a level: normal modules wait for basic modules anyway.
    for other in runner.registry.awaited(by: entry) {
      if let other = self.node(of: other) { node.depend(on: other) }
    }
    if level == .normal { node.depend(on: basicModules) }
    for other in removed[entry.identityName] ?? [] where other.entry?.isSame(as: entry) == true {
      node.follow(other)
    }
    // If the module is ready now, mark it before others depend on it, so that they don't become
    // unready and then ready again.
    if module == nil, node.unreadyCount == 0 { isNowReady(node) } else { due.append(node) }
    if level == .basic { basicModules.depend(on: node) }
    guard isLate else { return }
    // Earlier modules that name this module in `after` wait for it, unless it already waits for
    // them through removed modules.
    let awaited = haveRemovedFollowers ? node.allAwaited : []
    for other in runner.registry.followers(of: entry) {
      if let other = self.node(of: other), !awaited.contains(other.number) { other.depend(on: node) }
    }
  }

  /// Removes a module. Dependents that are already shutting down finish first.
  ///
  /// - Returns: `true` if this object will tear the module down after its shutdown, or `false` if
  ///   the caller must tear it down, because there is no shutdown to wait for.
  func remove(_ entry: ModuleEntry) -> Bool {
    guard let node = byEntry.removeValue(forKey: ObjectIdentifier(entry)) else { return false }
    if !node.dependents.isEmpty { haveRemovedFollowers = true }
    if node.module == nil, node.shutdownBlockers == 0, !node.isHeld() {
      close(node)
      advance()
      return false
    }
    entry.move(to: .shuttingDown)
    // Do this first, because a module that isn't ready may be torn down and announced immediately.
    runner.registry.remove(entry)
    removed[entry.identityName, default: []].append(node)
    node.beginShutdown(removes: true)
    due.append(node)
    advance()
    return true
  }

  /// - Parameter failure: A module's failure or the run's cancellation; nil for a requested stop.
  func stop(_ failure: (any Error)? = nil) {
    guard !isOver else { return }
    let isCancellation = failure is CancellationError
    if isCancellation {
      limits.gracePeriod = 0
      for node in nodes.values where node.state == .endingRun { cancelWork(node) }
    }
    // The run throws the first failure, even if the failure occurs during the stop.
    if self.failure == nil, !(isStopping && isCancellation) { self.failure = failure }
    guard !isStopping else { return }
    isStopping = true
    runner.context.shutdown.begin()
    deadline = runner.context.time.limit(limits.totalShutdown) { self.abandonAll() }
    for node in nodes.values.ordered(by: { $0.number > $1.number }) {
      node.beginShutdown()
      due.append(node)
    }
    advance()
  }

  // MARK: - Advancing

  func advance(_ changed: PhaseNode...) {
    due.append(contentsOf: changed)
    // A teardown can cause a nested call, which leaves the modules to the outermost call.
    guard !isAdvancing else { return }
    isAdvancing = true
    while !due.isEmpty {
      let nodes = due
      due = []
      Subscriber.steps += nodes.count
      for node in nodes {
        if node.isHolding, node.shutdownBlockers == 0 {
          node.isHolding = false
          for dependency in node.dependencies.values { due.append(dependency) }
        }
        if node.relayedName != nil, node.dependents.isEmpty || node.dependencies.isEmpty {
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
    if !idling.isEmpty, isIdle { idling.resume() }
  }

  func isNowReady(_ node: PhaseNode) {
    node.state = .begun
    due.append(contentsOf: node.becomeReady())
  }

  func close(_ node: PhaseNode) {
    node.state = .down
    node.cancelTimer()
    node.tasks.phase = nil
    nodes[node.number] = nil
    let name = node.relayedName ?? node.entry?.identityName ?? ""
    if let others = removed.removeValue(forKey: name)?.filter({ $0 !== node }), !others.isEmpty {
      removed[name] = others
    }
    if let entry = node.entry {
      if node.module != nil { runner.workingModules.withLock { $0.byNumber[node.number] = nil } }
      // The asynchronous phases are over, so removing the module now tears it down immediately.
      if self.node(of: entry) === node { byEntry[ObjectIdentifier(entry)] = nil }
      if node.isRemoved {
        runner.tearDownRemoved(entry)
        runner.announceRemovals()
      }
    }
    // A module that is repeatedly added and removed needs only one relay.
    let isCovered = removed[name]?.contains { $0.relayedName != nil && node.isCovered(by: $0) } ?? false
    due.append(contentsOf: node.unlink(connects: !isCovered))
    guard node.relayedName != nil else { return }
    nodes[node.number] = node
    removed[name, default: []].append(node)
    if isStopping { node.beginShutdown() }
  }

  private func abandonAll() {
    guard !isOver else { return }
    // Closing a removed module tears it down, which can call `advance`. Ignore that call until all
    // nodes are closed.
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
    runner.endRun()
    ending.resume()
  }

  #if DEBUG
  func hasRunEnded(_ entry: ModuleEntry) -> Bool {
    guard let node = node(of: entry), node.module != nil else { return false }
    return node.state == .begun && !node.isShuttingDown && node.tasks.work == nil
  }
  #endif

  // MARK: - Waiting

  func ended() async {
    while !isOver { await ending.wait() }
  }

  private var isIdle: Bool { isOver || nodes.values.allSatisfy(\.isIdle) }

  /// Waits until no module is becoming ready or shutting down, and returns whether it had to wait.
  func waitUntilIdle() async -> Bool {
    if isIdle { return false }
    await idling.wait()
    return true
  }
}
