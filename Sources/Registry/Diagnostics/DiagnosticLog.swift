/// Where one manager's diagnostics go: each to the handler once, and kept for reports.
package final class DiagnosticLog: Sendable {
  private struct State {
    var handler: @Sendable (Diagnostic) -> Void
    var known: Set<Diagnostic> = []
    var list: [Diagnostic] = []
  }

  /// Keeps memory flat when something goes wrong again and again with another message each time.
  package static let limit = 1_000

  /// How many handlers run within each other here: a handler may do what is reported.
  @TaskLocal private static var depth = 0
  /// Keeps a handler that causes what it is told of off the stack's end, and one that causes several each time from going on
  /// for hours: ten are ten thousand at the fourth level.
  package static let depthLimit = 4

  private let state: Locked<State>

  package init(handler: @escaping @Sendable (Diagnostic) -> Void) {
    state = Locked(State(handler: handler))
  }

  /// A log that goes on from another by itself: what is reported from now on is not in the other.
  package init(copying other: DiagnosticLog) {
    state = Locked(other.state.withLock { State(handler: $0.handler, known: $0.known, list: $0.list) })
  }

  package var handler: @Sendable (Diagnostic) -> Void {
    get { state.withLock { $0.handler } }
    set {
      // The old one leaves the lock before it is let go of: that may end what it holds, and run its deinit.
      let old = state.withLock { state in
        defer { state.handler = newValue }
        return state.handler
      }
      withExtendedLifetime(old) {}
    }
  }

  package var diagnostics: [Diagnostic] { state.withLock { $0.list } }

  /// Reports a diagnostic. Runs the handler, so no lock may be held. What a handler causes is told to it as well, up to
  /// four deep; beyond that it is kept and nobody is told.
  ///
  /// - Parameter always: Whether the handler hears of it again when the same was reported before.
  package func report(_ diagnostic: Diagnostic, always: Bool = false) {
    let handler: (@Sendable (Diagnostic) -> Void)? = state.withLock { state in
      guard state.list.count < Self.limit else {
        return state.known.contains(diagnostic) && !always ? nil : state.handler
      }
      let isNew = state.known.insert(diagnostic).inserted
      if isNew { state.list.append(diagnostic) }
      return isNew || always ? state.handler : nil
    }
    guard let handler, Self.depth < Self.depthLimit else { return }
    Self.$depth.withValue(Self.depth + 1) { handler(diagnostic) }
  }

  package func report(_ diagnostics: [Diagnostic]) {
    for diagnostic in diagnostics { report(diagnostic) }
  }
}
