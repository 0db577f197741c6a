import Lifecycle

/// A system that suspends an app in the background, and can delay that.
///
/// The code for UIKit and watchOS implements the operation, and so does a simulation in tests.
@MainActor package protocol BackgroundTimeSystem {
  /// Delays the suspension of the app.
  ///
  /// - Parameters:
  ///   - name: The name of the work, for debugging.
  ///   - expired: A closure that the system calls on the main thread when the time is over. The
  ///     system can terminate the app if the delay is not ended before the closure returns.
  /// - Returns: A closure that ends the delay, or nil if the system grants no time.
  func begin(_ name: String, expired: @escaping @MainActor @Sendable () -> Void) -> (@MainActor () -> Void)?
}

/// The time in the background for the handlers of one event.
@MainActor private final class BackgroundTime {
  private var isOver = false
  /// Ends the delay of the suspension, or nil if there is none.
  private var end: (@MainActor () -> Void)?
  /// Cancels the handlers that have not answered, or nil if none is running.
  private var interrupt: (@MainActor (_ reason: String) -> Void)?

  func begin(_ system: some BackgroundTimeSystem) {
    end = system.begin(DelegateMethod.backgroundWorkEvent) { self.expire() }
    // A system can end the time before it has returned.
    if isOver { finish() }
  }

  func run(_ modules: ModuleManager, timeLimit: Double) {
    let interrupt = modules.triggerInterruptibly(.finishInBackground, (), timeLimit: timeLimit) { self.finish() }
    // The handlers can have answered already.
    if !isOver { self.interrupt = interrupt }
  }

  private func expire() {
    // The completion of the event ends the delay.
    interrupt?("before the system ended the time in the background")
    finish()
  }

  /// Ends the delay, once.
  private func finish() {
    let end = end
    (isOver, self.end, interrupt) = (true, nil, nil)
    end?()
  }
}

extension SystemEventHost {
  /// Triggers the event of an app that can finish its work in the background.
  ///
  /// The suspension of the app is delayed only if a module subscribed to the event.
  package func finishInBackground(_ system: some BackgroundTimeSystem) {
    guard modules.isStarted, modules.subscribedEvents.contains(DelegateMethod.backgroundWorkEvent) else { return }
    let time = BackgroundTime()
    time.begin(system)
    time.run(modules, timeLimit: timeLimit)
  }
}
