import Dispatch
import Lifecycle
import Registry

/// A system function that delays the suspension of an app in the background.
///
/// Its first argument is the name of the work, for debugging. The system calls the second argument,
/// a closure, on the main thread when the time is up. If the delay has not ended when the closure
/// returns, the system can terminate the app. The function returns a closure that ends the delay,
/// or nil if the system grants no time.
package typealias BackgroundTimeSystem =
  @MainActor (_ name: String, _ expired: @escaping @MainActor @Sendable () -> Void) -> (@MainActor () -> Void)?

/// The background time for the handlers of one event.
@MainActor private final class BackgroundTime {
  var isOver = false
  var end: (@MainActor () -> Void)?
  /// Cancels the handlers that have not answered; nil if no handlers are running.
  var interrupt: (@MainActor (_ reason: String) -> Void)?

  func finish() {
    let end = end
    (isOver, self.end, interrupt) = (true, nil, nil)
    end?()
  }
}

extension ModuleManager {
  /// Triggers the event that lets modules finish their work in the background. The app's suspension
  /// is delayed only if the event has a handler.
  package func finishInBackground(_ system: BackgroundTimeSystem) {
    guard isStarted, subscribedEvents.contains(DelegateMethod.backgroundWorkEvent) else { return }
    let time = BackgroundTime()
    time.end = system(DelegateMethod.backgroundWorkEvent) {
      // Interrupting the handlers ends the delay. If they haven't started, `finish()` ends it.
      time.interrupt?("before the system ended the time in the background")
      time.finish()
    }
    // The time can expire during the call above, before `end` is set.
    if time.isOver { time.finish() }
    let limit = systemEventTimeLimit
    let interrupt = trigger(.finishInBackground, (), timeLimit: limit, appTimeLimit: limit, app: nil) { time.finish() }
    // The handlers may have answered already.
    if !time.isOver { time.interrupt = interrupt }
  }
}

/// An activity that a system runs on a separate thread for a limited time.
enum ExpiringActivity {
  /// Delays the suspension of an app, and returns a closure that ends the delay.
  ///
  /// The system calls the activity's closure with `false` on a separate thread, and the activity
  /// lasts until that call returns. When the time ends, the system calls the closure again, with
  /// `true`, on another thread. If it grants no time, it calls the closure once, with `true`.
  static func begin(
    _ expired: @escaping @MainActor @Sendable () -> Void,
    _ perform: (_ activity: @escaping @Sendable (_ isExpired: Bool) -> Void) -> Void
  ) -> @MainActor () -> Void {
    let isGranted = Locked(false)
    let isDone = DispatchSemaphore(value: 0)
    perform { isExpired in
      guard isExpired else {
        isGranted.withLock { $0 = true }
        return isDone.wait()
      }
      // If the system granted no time, let the handlers run until it suspends the app.
      if isGranted.withLock({ $0 }) { Task { @MainActor in expired() } }
    }
    return { isDone.signal() }
  }
}
