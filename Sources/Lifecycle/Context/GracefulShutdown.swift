import Registry

/// The beginning of a graceful shutdown, which code on any thread can observe.
///
/// A manager has one, and so has each module with asynchronous phases. Another one of a manager is
/// the request for a shutdown, which lasts until the manager stops.
final class GracefulShutdown: Sendable {
  private struct State {
    var hasBegun = false
    var isObserved = false
    var lastID = 0
    /// The handlers in the order in which they were added.
    var handlers: [(id: Int, handler: @Sendable () -> Void)] = []
  }

  private let state = Locked(State())

  var hasBegun: Bool { state.withLock { $0.hasBegun } }

  /// A Boolean value that indicates whether code has queried the shutdown or waited for it.
  var isObserved: Bool { state.withLock { $0.isObserved } }

  /// Returns whether the shutdown has begun, and records that code observes it.
  func query() -> Bool {
    state.withLock { state in
      state.isObserved = true
      return state.hasBegun
    }
  }

  /// Adds a handler, or calls it if the shutdown has begun.
  ///
  /// - Returns: The number to remove the handler with, or nil if it was called.
  func add(_ handler: @escaping @Sendable () -> Void) -> Int? {
    let id: Int? = state.withLock { state in
      state.isObserved = true
      guard !state.hasBegun else { return nil }
      state.lastID += 1
      state.handlers.append((state.lastID, handler))
      return state.lastID
    }
    if id == nil { handler() }
    return id
  }

  func remove(_ id: Int) { state.withLock { state in state.handlers.removeAll { $0.id == id } } }

  /// Begins the shutdown, and calls the handlers in the order in which they were added.
  ///
  /// Any thread can call the method, but it acquires a lock, so a signal handler of C cannot.
  func begin() {
    let handlers = state.withLock { state in
      state.hasBegun = true
      defer { state.handlers = [] }
      return state.handlers
    }
    for (_, handler) in handlers { handler() }
  }

  /// Makes the shutdown of a manager possible again.
  func reset() { state.withLock { $0.hasBegun = false } }
}

/// The asynchronous phase of a module, or the answer of a handler, that a task performs.
struct ModuleWork: Sendable {
  @TaskLocal static var current: ModuleWork?

  /// The module or handler, which owns what the task registers.
  let owner: any RegistrationOwner
  /// The shutdown of the owner's manager, which identifies the manager.
  ///
  /// A task can use another manager's context, which has nothing to do with the owner.
  let manager: GracefulShutdown
  /// The shutdown of the module if the task performs its `run`, or nil.
  let shutdown: GracefulShutdown?

  /// Creates a task on the main actor for other code than the work of a module that causes it.
  ///
  /// A task inherits the task-local values of the code that creates it. The tasks of one module
  /// must not observe the shutdown of another one, whose work stops the manager, registers the
  /// module, or triggers its events.
  @discardableResult
  static func task(_ work: @escaping @MainActor @Sendable () async -> Void) -> Task<Void, Never> {
    // Most code that creates tasks has no value, and reading it costs less than replacing it.
    current == nil ? Task(operation: work) : $current.withValue(nil) { Task(operation: work) }
  }
}
