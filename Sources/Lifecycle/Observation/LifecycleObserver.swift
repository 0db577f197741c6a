/// A type that observes the handlers and phases of a manager's modules.
///
/// The calls for synchronous activities are made on the main actor and are nested as the activities
/// are: an event that a handler triggers begins and ends within that handler. The time that an
/// observer takes counts toward the surrounding activity.
///
/// Asynchronous handlers and phases overlap other activities, so they have their own methods, which
/// do nothing by default. The start of an asynchronous handler's task is not a separate activity.
@MainActor public protocol LifecycleObserver: AnyObject, Sendable {
  /// Tells the observer that a handler or a phase is about to run.
  func willBegin(_ activity: LifecycleActivity)
  /// Tells the observer that a handler or a phase has returned or thrown.
  func didEnd(_ activity: LifecycleActivity)

  /// Tells the observer that an asynchronous handler or phase is about to run.
  ///
  /// The call is made where the activity runs: on the main actor, or on any thread if the activity
  /// is a handler that runs off the main actor.
  ///
  /// - Parameters:
  ///   - activity: The handler or phase.
  ///   - id: A number that no other asynchronous activity of the process has.
  nonisolated func willBeginAsync(_ activity: LifecycleActivity, id: UInt64)

  /// Tells the observer that an asynchronous handler or phase has returned or thrown.
  ///
  /// - Parameters:
  ///   - activity: The handler or phase.
  ///   - id: The number that ``willBeginAsync(_:id:)`` received.
  nonisolated func didEndAsync(_ activity: LifecycleActivity, id: UInt64)
}

extension LifecycleObserver {
  public nonisolated func willBeginAsync(_ activity: LifecycleActivity, id: UInt64) {}
  public nonisolated func didEndAsync(_ activity: LifecycleActivity, id: UInt64) {}
}

/// The observers of a manager.
@MainActor final class LifecycleObservers {
  var list: [any LifecycleObserver] = []
  private static var asyncCount: UInt64 = 0

  /// Runs a closure and notifies the observers before and after it.
  func observing(_ activity: @autoclosure () -> LifecycleActivity, _ body: () throws -> Void) rethrows {
    // The observers that saw the beginning also see the end, even if the list changes meanwhile.
    let observers = list
    guard !observers.isEmpty else { return try body() }
    let activity = activity()
    for observer in observers { observer.willBegin(activity) }
    defer { for observer in observers.reversed() { observer.didEnd(activity) } }
    try body()
  }

  /// Returns the observation of an asynchronous activity, or nil if there are no observers.
  func observation(of activity: @autoclosure () -> LifecycleActivity) -> AsyncObservation? {
    guard !list.isEmpty else { return nil }
    Self.asyncCount += 1
    return AsyncObservation(activity: activity(), id: Self.asyncCount, observers: list)
  }
}

/// The observation of one asynchronous activity, by the observers from before its beginning.
struct AsyncObservation {
  let activity: LifecycleActivity
  let id: UInt64
  let observers: [any LifecycleObserver]

  func begin() { for observer in observers { observer.willBeginAsync(activity, id: id) } }
  func end() { for observer in observers.reversed() { observer.didEndAsync(activity, id: id) } }
}
