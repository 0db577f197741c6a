internal import RegistryC

/// A log that passes new diagnostics to a handler, and keeps them for reports.
package final class DiagnosticLog: Sendable {
  private struct State: ~Copyable {
    var handler: @Sendable (Diagnostic) -> Void
    var known: Set<Diagnostic> = []
    var list: [Diagnostic] = []
  }

  /// The maximum number of kept diagnostics, which bounds the memory if a problem recurs with
  /// different messages. The handler receives diagnostics beyond the limit each time they recur.
  package static let limit = 1_000

  /// The maximum nesting depth of handlers.
  ///
  /// Without a limit, a handler that causes another diagnostic each time would overflow the stack.
  /// With a high limit, a handler that causes ten diagnostics each time would run for hours. Code
  /// in a handler's tasks doesn't count as nested. A router's diagnostics use two levels, because
  /// they reach the handler through its manager's log.
  package static let depthLimit = 4

  private let state: Locked<State>

  package init(handler: @escaping @Sendable (Diagnostic) -> Void) {
    state = Locked(State(handler: handler))
  }

  package init(copying other: DiagnosticLog) {
    state = Locked(other.state.withLock { State(handler: $0.handler, known: $0.known, list: $0.list) })
  }

  package var handler: @Sendable (Diagnostic) -> Void {
    get { state.withLock { $0.handler } }
    set {
      // Release the old handler outside the lock, because releasing it can run user code.
      let old = state.withLock { state in
        defer { state.handler = newValue }
        return state.handler
      }
      withExtendedLifetime(old) {}
    }
  }

  package var diagnostics: [Diagnostic] { state.withLock { $0.list } }

  /// Records a diagnostic unless the log is full, and passes it to the handler if it is new.
  ///
  /// The caller must hold no lock, because the handler is user code. The handler also receives
  /// diagnostics that it causes, up to ``depthLimit`` levels deep. Deeper ones are only recorded.
  ///
  /// - Parameter always: A Boolean value that indicates whether the handler also receives a
  ///   diagnostic that was recorded before.
  package func report(_ diagnostic: Diagnostic, always: Bool = false) {
    let handler: (@Sendable (Diagnostic) -> Void)? = state.withLock { state in
      guard state.list.count < Self.limit else {
        return state.known.contains(diagnostic) && !always ? nil : state.handler
      }
      let isNew = state.known.add(diagnostic)
      if isNew { state.list.append(diagnostic) }
      return isNew || always ? state.handler : nil
    }
    guard let handler else { return }
    // Count per thread. A handler's tasks would inherit a task-local count, which would suppress
    // their diagnostics after a few rounds.
    defer { _ = registry_thread_add_diagnostics(-1) }
    if registry_thread_add_diagnostics(1) <= Self.depthLimit { handler(diagnostic) }
  }

  package func report(_ diagnostics: [Diagnostic]) {
    for diagnostic in diagnostics { report(diagnostic) }
  }
}
