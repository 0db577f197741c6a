/// The objects that continue an activity, which the system restores.
///
/// UIKit and AppKit pass a handler with an activity. The app calls it with the objects that show
/// the activity, and the system calls `restoreUserActivityState(_:)` of each.
///
/// The handler is called at most once: after the handlers of the event with the objects that they
/// and the app supplied, or, if there are none, with the first ones that are supplied later.
@MainActor package final class ActivityRestoration {
  /// The progress of an activity's continuation.
  private enum State {
    /// The handlers of the event are running. The objects are nil if none were supplied.
    case collecting([AnyObject]?)
    /// The handlers have returned without objects.
    case waiting
    /// The handler has been called.
    case done
  }

  private var state = State.collecting(nil)
  private let handler: ([AnyObject]) -> Void

  /// Creates the collection of objects for a handler of the system.
  package init(_ handler: @escaping ([AnyObject]) -> Void) {
    self.handler = handler
  }

  /// Adds objects.
  ///
  /// - Returns: `false` if the handler has been called already. The caller restores the objects
  ///   itself.
  package func add(_ objects: [AnyObject]) -> Bool {
    switch state {
    case .collecting(let previous): state = .collecting((previous ?? []) + objects)
    case .waiting: call(objects)
    case .done: return false
    }
    return true
  }

  /// Passes the objects to the handler when the handlers of the event have returned.
  package func finish() {
    guard case .collecting(let objects) = state else { return }
    if let objects { call(objects) } else { state = .waiting }
  }

  private func call(_ objects: [AnyObject]) {
    // The restored objects can continue the same activity.
    state = .done
    handler(objects)
  }
}

extension UserActivity {
  /// Restores objects with the system's handler, or directly if it was called already or if the
  /// system passed none.
  @MainActor package func restore(_ objects: [AnyObject], directly restore: (AnyObject) -> Void) {
    if (restoration.value as? ActivityRestoration)?.add(objects) == true { return }
    for object in objects { restore(object) }
  }
}
