import Registry

/// Asks a manager to stop, from any thread: ``ModuleManager/stopper``.
///
/// Does not keep the manager alive.
public final class ModuleStopper: Sendable {
  private struct State {
    var isRequested = false
    var tell: (@Sendable () -> Void)?
  }

  private let state = Locked(State())

  init() {}

  /// Asks for a graceful stop; see ``ModuleManager/triggerGracefulShutdown()``. Returns at once. Asking again changes nothing.
  ///
  /// Takes a lock and makes a task, so not for a signal handler of C: a Dispatch source may call it.
  public func triggerGracefulShutdown() {
    let tell = state.withLock { state -> (@Sendable () -> Void)? in
      guard !state.isRequested else { return nil }
      state.isRequested = true
      return state.tell
    }
    tell?()
  }

  /// Whether somebody asked, and that was not taken yet.
  var isRequested: Bool { state.withLock { $0.isRequested } }

  /// Says what is done about a request.
  func listen(_ tell: @escaping @Sendable () -> Void) { state.withLock { $0.tell = tell } }

  /// Takes what was asked for.
  ///
  /// - Returns: Whether anybody asked.
  @discardableResult func take() -> Bool {
    state.withLock { state in
      defer { state.isRequested = false }
      return state.isRequested
    }
  }
}
