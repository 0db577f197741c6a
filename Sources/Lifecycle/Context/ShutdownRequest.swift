import Registry

/// A request for a graceful shutdown, which any thread can make.
///
/// The request does not keep the manager alive.
final class ShutdownRequest: Sendable {
  private struct State {
    var isRequested = false
    var observer: (@Sendable () -> Void)?
  }

  private let state = Locked(State())

  init() {}

  /// Requests a graceful shutdown.
  ///
  /// The method acquires a lock and creates a task, so a signal handler of C cannot call it.
  func trigger() {
    let observer = state.withLock { state -> (@Sendable () -> Void)? in
      guard !state.isRequested else { return nil }
      state.isRequested = true
      return state.observer
    }
    observer?()
  }

  /// A Boolean value that indicates whether a shutdown was requested and has not taken place.
  var isRequested: Bool { state.withLock { $0.isRequested } }

  /// Sets the closure that is called for each request.
  func observe(_ observer: @escaping @Sendable () -> Void) { state.withLock { $0.observer = observer } }

  /// Discards the request.
  func clear() { state.withLock { $0.isRequested = false } }
}
