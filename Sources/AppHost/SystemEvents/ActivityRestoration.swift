/// The restoration of the objects that show a continued activity.
///
/// UIKit and AppKit pass a handler along with an activity. The app calls the handler with the
/// objects that show the activity, and the system calls `restoreUserActivityState(_:)` on each.
///
/// The system's handler is called at most once: when the event's handlers have returned, with the
/// objects that modules and the app supplied, or otherwise with the first objects supplied later.
@MainActor package final class ActivityRestoration {
  private enum State {
    /// The handlers of the event are running. The objects are nil if none were supplied.
    case collecting([AnyObject]?)
    /// The handlers have returned without objects.
    case waiting
    case done
  }

  private var state = State.collecting(nil)
  private let handler: ([AnyObject]) -> Void

  package init(_ handler: @escaping ([AnyObject]) -> Void) {
    self.handler = handler
  }

  /// Adds objects, or returns `false` if the handler has already been called. In that case, the
  /// caller restores them itself.
  package func add(_ objects: [AnyObject]) -> Bool {
    switch state {
    case .collecting(let previous): state = .collecting((previous ?? []) + objects)
    case .waiting: call(objects)
    case .done: return false
    }
    return true
  }

  /// Passes the collected objects to the handler, after the event's handlers have returned.
  package func finish() {
    guard case .collecting(let objects) = state else { return }
    if let objects { call(objects) } else { state = .waiting }
  }

  private func call(_ objects: [AnyObject]) {
    // The restored objects can continue the same activity, so set the state first.
    state = .done
    handler(objects)
  }
}

extension UserActivity {
  /// Restores objects with the system's handler, or directly if there's no handler or it has
  /// already been called.
  @MainActor package func restore(_ objects: [AnyObject], directly restore: (AnyObject) -> Void) {
    // An empty list isn't a response: another module can supply objects later.
    if objects.isEmpty || (restoration.value as? ActivityRestoration)?.add(objects) == true { return }
    for object in objects { restore(object) }
  }
}
