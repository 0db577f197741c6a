/// A type that observes the handlers and phases of a manager's modules.
///
/// Calls are made on the main actor and are nested as the activities are: an event that a handler
/// triggers begins and ends within that handler. The time that an observer takes counts toward the
/// surrounding activity. Handlers that run in tasks off the main actor are not observed.
@MainActor public protocol LifecycleObserver: AnyObject {
  /// Tells the observer that a handler or a phase is about to run.
  func willBegin(_ activity: LifecycleActivity)
  /// Tells the observer that a handler or a phase has returned or thrown.
  func didEnd(_ activity: LifecycleActivity)
}

/// The observers of a manager.
@MainActor final class LifecycleObservers {
  var list: [any LifecycleObserver] = []

  /// Runs a closure and notifies the observers before and after it.
  func observing<Result>(
    _ activity: @autoclosure () -> LifecycleActivity, _ body: () throws -> Result
  ) rethrows -> Result {
    // The observers that saw the beginning also see the end, even if the list changes meanwhile.
    let observers = list
    guard !observers.isEmpty else { return try body() }
    let activity = activity()
    for observer in observers { observer.willBegin(activity) }
    defer { for observer in observers.reversed() { observer.didEnd(activity) } }
    return try body()
  }
}
