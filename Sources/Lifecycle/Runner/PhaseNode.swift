internal import Registry

/// A node in the graph of asynchronous phases, usually a module.
///
/// An edge leads from a module to each module that it waits for. Modules without asynchronous
/// phases are nodes, too, because other modules wait through them.
@MainActor final class PhaseNode {
  enum State {
    case waiting
    case becomingReady
    /// Canceled while becoming ready, but not yet ended.
    case givingUp
    /// Ready, or failed to become ready.
    case begun
    case shuttingDown
    /// Shut down, but its `run` has not ended yet, even if it was canceled.
    case endingRun
    case down
  }

  struct Tasks {
    var isLate = false
    var shutdown: GracefulShutdown?
    var phase: Task<Void, Never>?
    var work: Task<Void, Never>?
    var timer: Task<Void, Never>?
    /// The number of times a phase began or was abandoned. Abandoned phases have older numbers.
    var phaseCount = 0
    /// A Boolean value that indicates whether the module began to become ready, and so must shut
    /// down.
    var needShutDown = false
  }

  let number: Int
  /// The module's entry, or nil for a relay and for the node that represents all basic modules.
  private(set) var entry: ModuleEntry?
  private(set) var module: (any AsyncModule)?
  /// The name of the module that a relay replaces; nil for other nodes. A relay connects the
  /// dependents of a module that is down with the module's dependencies.
  private(set) var relayedName: String?
  /// A Boolean value that indicates whether the relay delays the shutdown of its dependencies.
  var isHolding = false

  var state = State.waiting
  private(set) var isShuttingDown = false
  /// A Boolean value that indicates whether the module was removed and must be torn down after its
  /// shutdown.
  private(set) var isRemoved = false
  private(set) var isReady = false
  var tasks: Tasks

  private(set) var dependencies: [Int: PhaseNode] = [:]
  private(set) var dependents: [Int: PhaseNode] = [:]
  /// Modules with the same name, added after this one's removal, that wait for its end.
  private var successors: [PhaseNode] = []
  /// The number of modules that this one waits for before becoming ready.
  private(set) var unreadyCount = 0
  /// The number of modules that wait for this one and are shutting down.
  private(set) var shutdownBlockers = 0

  init(
    number: Int, entry: ModuleEntry? = nil, module: (any AsyncModule)? = nil, isLate: Bool = false
  ) {
    self.number = number
    self.entry = entry
    self.module = module
    tasks = Tasks(isLate: isLate, shutdown: module == nil ? nil : GracefulShutdown())
  }

  var isIdle: Bool { state == .down || (isReady && !isShuttingDown) }

  func cancelTimer() {
    tasks.timer?.cancel()
    tasks.timer = nil
  }

  // MARK: - Edges

  func depend(on other: PhaseNode) {
    guard other !== self, other.state != .down, dependencies[other.number] == nil else { return }
    Subscriber.steps += 1
    dependencies[other.number] = other
    other.dependents[number] = self
    if !other.isReady { addUnready() }
    if isShuttingDown { other.shutdownBlockers += 1 }
  }

  /// Counts one more module to wait for. A module without asynchronous phases stops being ready, so
  /// its dependents wait, too. Modules whose asynchronous phases have begun continue.
  private func addUnready() {
    var open = [self]
    while let node = open.popLast() {
      Subscriber.steps += 1
      node.unreadyCount += 1
      guard node.module == nil, node.isReady else { continue }
      node.isReady = false
      node.state = .waiting
      for dependent in node.dependents.values { open.append(dependent) }
    }
  }

  private func removeDependency(on other: PhaseNode) {
    guard dependencies.removeValue(forKey: other.number) != nil else { return }
    other.dependents[number] = nil
    if !other.isReady { unreadyCount -= 1 }
  }

  func follow(_ other: PhaseNode) {
    other.successors.append(self)
    unreadyCount += 1
  }

  var allAwaited: Set<Int> {
    var seen: Set<Int> = []
    var open = [self]
    while let node = open.popLast() {
      // Skip the node of the basic modules, which wait for no normal module.
      for (number, next) in node.dependencies where number != 0 && seen.add(number) { open.append(next) }
    }
    return seen
  }

  /// Returns whether a module that waits for this one through relays is still shutting down.
  func isHeld() -> Bool {
    var isHeld = false
    for node in dependents.values
    where node.relayedName != nil && (node.shutdownBlockers > 0 || node.isHeld()) {
      node.isHolding = true
      isHeld = true
    }
    return isHeld
  }

  func isCovered(by other: PhaseNode) -> Bool {
    guard dependents.count <= other.dependents.count, dependencies.count <= other.dependencies.count else {
      return false
    }
    for number in dependents.keys where other.dependents[number] == nil { return false }
    for number in dependencies.keys where other.dependencies[number] == nil { return false }
    return true
  }

  // MARK: - Changes

  /// Marks the module as ready, and returns the modules that may now become ready.
  func becomeReady() -> [PhaseNode] {
    isReady = true
    for node in dependents.values { node.unreadyCount -= 1 }
    return Self.inOrder(dependents)
  }

  func beginShutdown(removes: Bool = false) {
    if removes { isRemoved = true }
    guard !isShuttingDown else { return }
    isShuttingDown = true
    for node in dependencies.values { node.shutdownBlockers += 1 }
  }

  /// Removes a module that is down from the graph.
  ///
  /// Its dependents then depend on its dependencies. If this would add more edges than it removes,
  /// the node stays as a relay.
  ///
  /// - Parameter connects: A Boolean value that indicates whether to add those edges.
  /// - Returns: The nodes that may now be able to advance.
  func unlink(connects: Bool = true) -> [PhaseNode] {
    let (above, below) = (Self.inOrder(dependents), Self.inOrder(dependencies))
    if isShuttingDown { for node in below { node.shutdownBlockers -= 1 } }
    isHolding = false
    if connects, above.count * below.count > above.count + below.count {
      relayedName = relayedName ?? entry?.identityName ?? ""
      (entry, module, tasks) = (nil, nil, Tasks())
      (isShuttingDown, isRemoved) = (false, false)
      state = isReady ? .begun : .waiting
    } else {
      relayedName = nil
      for node in above {
        node.removeDependency(on: self)
        if connects { for other in below { node.depend(on: other) } }
      }
      for node in below { removeDependency(on: node) }
    }
    for node in successors { node.unreadyCount -= 1 }
    defer { successors = [] }
    return above + below.reversed() + successors + (relayedName == nil ? [] : [self])
  }

  private static func inOrder(_ nodes: [Int: PhaseNode]) -> [PhaseNode] {
    nodes.values.ordered { $0.number < $1.number }
  }
}
