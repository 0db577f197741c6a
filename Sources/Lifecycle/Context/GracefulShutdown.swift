import Registry

/// A signal that a graceful shutdown has begun. Code on any thread can observe the signal.
///
/// Each manager has one instance for its shutdown and one for the request to shut down. Each module
/// with asynchronous phases has its own instance.
final class GracefulShutdown: Sendable {
  final class Handler: Sendable {
    fileprivate let call: @Sendable () -> Void

    fileprivate init(_ call: @escaping @Sendable () -> Void) { self.call = call }
  }

  private struct State {
    var hasBegun = false
    var isObserved = false
    var handlers: [Handler] = []
  }

  private let state = Locked(State())

  var hasBegun: Bool { state.withLock { $0.hasBegun } }

  /// A Boolean value that indicates whether code has queried the shutdown or added a handler.
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
  /// - Returns: The handler to pass to `remove(_:)`, or nil if the handler was called.
  func add(_ handler: @escaping @Sendable () -> Void) -> Handler? {
    let added = Handler(handler)
    let hasBegun = state.withLock { state in
      state.isObserved = true
      if !state.hasBegun { state.handlers.append(added) }
      return state.hasBegun
    }
    guard hasBegun else { return added }
    handler()
    return nil
  }

  func remove(_ handler: Handler) { state.withLock { _ = $0.handlers.remove(handler) } }

  /// Begins the shutdown, and calls the handlers in the order they were added.
  ///
  /// You can call this on any thread, but not in a C signal handler, because it acquires a lock.
  func begin() {
    let handlers = state.withLock { state in
      state.hasBegun = true
      defer { state.handlers = [] }
      return state.handlers
    }
    for handler in handlers { handler.call() }
  }

  func reset() { state.withLock { $0.hasBegun = false } }
}

/// The owner of a task that performs a module's asynchronous phase or an asynchronous handler.
package struct ModuleWork: Sendable {
  @TaskLocal static var current: ModuleWork?

  let owner: any RegistrationOwner
  /// The owner's registrations at the beginning of the work. The owner can be set up again before
  /// the work ends.
  let registrations: OwnedRegistrations?
  /// The shutdown of the owner's manager. Compare it with the context's shutdown, because a task
  /// can use the context of a different manager.
  let manager: GracefulShutdown
  /// The module's shutdown, or nil if the task doesn't perform the module's `run`.
  let shutdown: GracefulShutdown?
  /// The answer that the task computes, or nil. A task that this one creates can outlive it.
  weak let answer: (any AnyObject & Sendable)?

  /// Creates a task on the main actor for code that isn't the work of the current module.
  ///
  /// A plain task would inherit the current work, so a module's tasks would observe the shutdown of
  /// whichever module registered it, triggered its events, or stopped the manager.
  @discardableResult
  package static func task(_ work: @escaping @MainActor @Sendable () async -> Void) -> Task<Void, Never> {
    // Usually there's no current work, and reading the value costs less than replacing it.
    current == nil ? Task(operation: work) : $current.withValue(nil) { Task(operation: work) }
  }
}
