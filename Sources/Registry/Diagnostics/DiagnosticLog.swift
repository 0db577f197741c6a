/// Where one manager's diagnostics go: each to the handler once, and kept for reports.
package final class DiagnosticLog: Sendable {
  private struct State {
    var handler: @Sendable (Diagnostic) -> Void
    var known: Set<Diagnostic> = []
    var list: [Diagnostic] = []
  }

  /// Keeps memory flat when something goes wrong again and again with another message each time.
  package static let limit = 1_000

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
    set { state.withLock { $0.handler = newValue } }
  }

  package var diagnostics: [Diagnostic] { state.withLock { $0.list } }

  /// Reports a diagnostic. Runs the handler, so no lock may be held.
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
    handler?(diagnostic)
  }

  package func report(_ diagnostics: [Diagnostic]) {
    for diagnostic in diagnostics { report(diagnostic) }
  }
}
