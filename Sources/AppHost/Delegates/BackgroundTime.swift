import Dispatch
import Lifecycle
import Registry

/// A function of a system that delays the suspension of an app in the background.
///
/// Its first argument is the name of the work, for debugging. The second one is a closure that the
/// system calls on the main thread when the time is over. The system can terminate the app if the
/// delay is not ended before the closure returns. The function returns a closure that ends the
/// delay, or nil if the system grants no time.
package typealias BackgroundTimeSystem =
  @MainActor (_ name: String, _ expired: @escaping @MainActor @Sendable () -> Void) -> (@MainActor () -> Void)?

/// The time in the background for the handlers of one event.
@MainActor private final class BackgroundTime {
  var isOver = false
  /// Ends the delay of the suspension, or nil if there is none.
  var end: (@MainActor () -> Void)?
  /// Cancels the handlers that have not answered, or nil if none is running.
  var interrupt: (@MainActor (_ reason: String) -> Void)?

  /// Ends the delay, once.
  func finish() {
    let end = end
    (isOver, self.end, interrupt) = (true, nil, nil)
    end?()
  }
}

extension ModuleManager {
  /// Triggers the event of an app that can finish its work in the background.
  ///
  /// The suspension of the app is delayed only if a module subscribed to the event.
  package func finishInBackground(_ system: BackgroundTimeSystem) {
    guard isStarted, subscribedEvents.contains(DelegateMethod.backgroundWorkEvent) else { return }
    let time = BackgroundTime()
    time.end = system(DelegateMethod.backgroundWorkEvent) {
      // The completion of the event ends the delay.
      time.interrupt?("before the system ended the time in the background")
      time.finish()
    }
    // A system can end the time before it has returned.
    if time.isOver { time.finish() }
    let interrupt = triggerInterruptibly(.finishInBackground, (), timeLimit: systemEventTimeLimit) { time.finish() }
    // The handlers can have answered already.
    if !time.isOver { time.interrupt = interrupt }
  }
}

/// An activity that a system runs on a thread of its own, and whose time can expire.
enum ExpiringActivity {
  /// Delays the suspension of an app while a closure runs on a thread of the system.
  ///
  /// The system calls the closure with `false`, and the activity lasts until that call returns.
  /// When the system ends the time, it calls the closure a second time, with `true`, on another
  /// thread. If it grants no time, it calls the closure once, with `true`.
  ///
  /// - Parameters:
  ///   - expired: A closure that is called when the system ends the time.
  ///   - perform: A function that starts an activity.
  /// - Returns: A closure that ends the delay.
  static func begin(
    _ expired: @escaping @MainActor @Sendable () -> Void,
    _ perform: (_ activity: @escaping @Sendable (_ isExpired: Bool) -> Void) -> Void
  ) -> @MainActor () -> Void {
    let (isGranted, isDone) = (Locked(false), DispatchSemaphore(value: 0))
    perform { isExpired in
      guard isExpired else {
        isGranted.withLock { $0 = true }
        return isDone.wait()
      }
      // A refusal ends nothing: the handlers run until the system suspends the app.
      if isGranted.withLock({ $0 }) { Task { @MainActor in expired() } }
    }
    return { isDone.signal() }
  }
}
