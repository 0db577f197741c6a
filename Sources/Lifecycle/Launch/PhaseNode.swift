/// A module's place among those that wait for it and those that it waits for, for its asynchronous phases.
///
/// Modules without such phases have one too, which is ready as soon as what it waits for is: others wait through it.
@MainActor final class PhaseNode {
  enum State {
    /// Something that it waits for is not ready.
    case waiting
    case becomingReady
    /// It was cancelled in the middle of becoming ready, and has not ended yet.
    case givingUp
    /// Became ready, or failed to, or was given up.
    case begun
    case shuttingDown
    /// It has shut down, and its `run` was cancelled and has not ended yet.
    case endingRun
    case down
  }

  /// Which of all it is, in the order in which they came.
  let number: Int
  /// Nil for what stands between the two levels.
  let entry: ModuleEntry?
  /// Nil if it has no asynchronous phases.
  let module: (any AsyncModule)?
  /// Whether it came when the others had been set up.
  let isLate: Bool

  var state = State.waiting
  private(set) var isReady = false
  /// Whether `becomeReady` was called, so that `shutDown` must be.
  var hasBegun = false
  /// Whether it is to shut down.
  private(set) var isGoing = false
  /// Whether it was taken out, and is torn down as soon as it has shut down.
  var isLeaving = false

  private(set) var dependencies: [Int: PhaseNode] = [:]
  private(set) var dependents: [Int: PhaseNode] = [:]
  /// Those of the same name that came when this one was leaving already, and wait for its end.
  private var successors: [PhaseNode] = []
  /// How many it waits for before it becomes ready.
  private(set) var unready = 0
  /// How many that wait for it are going and not down yet.
  private(set) var holders = 0

  /// Its phase under way.
  var phase: Task<Void, Never>?
  /// Its `run`, as long as that is under way and somebody cares.
  var running: Task<Void, Never>?
  /// Ends what is under way when it takes too long.
  var timer: Task<Void, Never>?
  /// How many phases and timers were begun: those that were given up are told by it.
  var steps = 0

  init(number: Int, entry: ModuleEntry? = nil, module: (any AsyncModule)? = nil, isLate: Bool = false) {
    self.number = number
    self.entry = entry
    self.module = module
    self.isLate = isLate
  }

  /// Whether nothing is going to happen to it by itself, but that its `run` goes on.
  var isAtRest: Bool { state == .down || (isReady && !isGoing) }

  // MARK: - Edges

  /// Lets this one wait for another, which must not wait for this one.
  func depend(on other: PhaseNode) {
    guard other !== self, other.state != .down, dependencies[other.number] == nil else { return }
    dependencies[other.number] = other
    other.dependents[number] = self
    if !other.isReady { noteUnready() }
    if isGoing { other.holders += 1 }
  }

  /// Counts one more to wait for. What others only wait through is not ready any more then, though it may have been; who began
  /// because it was is not called back.
  private func noteUnready() {
    var open = [self]
    while let node = open.popLast() {
      node.unready += 1
      guard node.module == nil, node.isReady else { continue }
      node.isReady = false
      node.state = .waiting
      open.append(contentsOf: node.dependents.values)
    }
  }

  /// Lets this one wait for another no more, as one of the two is down.
  private func forgo(_ other: PhaseNode) {
    guard dependencies.removeValue(forKey: other.number) != nil else { return }
    other.dependents[number] = nil
    if !other.isReady { unready -= 1 }
  }

  /// Lets this one wait until another, of the same name, is down.
  func succeed(_ other: PhaseNode) {
    other.successors.append(self)
    unready += 1
  }

  /// Whether this one waits for another, directly or not.
  func waits(for other: PhaseNode) -> Bool {
    var seen: Set<Int> = [number]
    var open = [self]
    while let node = open.popLast() {
      if node === other { return true }
      for (number, next) in node.dependencies where seen.insert(number).inserted { open.append(next) }
    }
    return false
  }

  // MARK: - Changes

  /// - Returns: Those that may become ready now.
  func becomeReady() -> [PhaseNode] {
    isReady = true
    for node in dependents.values { node.unready -= 1 }
    return Self.inOrder(dependents)
  }

  func go() {
    guard !isGoing else { return }
    isGoing = true
    for node in dependencies.values { node.holders += 1 }
  }

  /// Takes a node out that is down; those that waited for it wait for what it waited for.
  ///
  /// - Returns: Those for which that may have been the last to wait for.
  func takeOut() -> [PhaseNode] {
    let (above, below) = (Self.inOrder(dependents), Self.inOrder(dependencies))
    if isGoing { for node in below { node.holders -= 1 } }
    for node in above {
      node.forgo(self)
      for other in below { node.depend(on: other) }
    }
    for node in below { forgo(node) }
    for node in successors { node.unready -= 1 }
    defer { successors = [] }
    // Down it goes in reverse.
    return above + below.reversed() + successors
  }

  private static func inOrder(_ nodes: [Int: PhaseNode]) -> [PhaseNode] {
    nodes.values.sorted { $0.number < $1.number }
  }
}
