import Dispatch
import Registry

/// A system that delays the suspension of an app while a closure runs on a thread of the system.
///
/// The system calls the closure with `false`, and the activity lasts until that call returns. When
/// the system ends the time, it calls the closure a second time, with `true`, on another thread. If
/// it grants no time, it calls the closure once, with `true`.
struct ExpiringActivityTime: BackgroundTimeSystem {
  /// A function that starts an activity with a name, such as that of Foundation's `ProcessInfo`.
  let perform: (_ name: String, _ activity: @escaping @Sendable (_ isExpired: Bool) -> Void) -> Void

  func begin(_ name: String, expired: @escaping @MainActor @Sendable () -> Void) -> (@MainActor () -> Void)? {
    let (isGranted, isDone) = (Locked(false), DispatchSemaphore(value: 0))
    perform(name) { isExpired in
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
