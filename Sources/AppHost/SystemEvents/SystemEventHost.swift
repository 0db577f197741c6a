public import Lifecycle

/// A sender of system events that gives modules limited time to answer.
///
/// ```swift
/// let host = SystemEventHost(modules)
/// func applicationDidBecomeActive(_ application: UIApplication) { host.trigger(.didBecomeActive) }
/// ```
///
/// Call its methods on the main actor, in the system's callback for an event.
@MainActor public final class SystemEventHost {
  /// The manager of the modules that receive the events.
  public let modules: ModuleManager

  /// The number of seconds that modules have to answer an event with a completion.
  ///
  /// UIKit gives an app 30 seconds. Modules have at most two seconds to decide how a notification
  /// is presented, because the system waits for that before it shows the notification.
  public var timeLimit: Double

  /// Creates a host for the modules of a manager.
  public init(_ modules: ModuleManager = .shared, timeLimit: Double = 25) {
    self.modules = modules
    self.timeLimit = timeLimit
  }

  /// Triggers an event and returns its outcome.
  @discardableResult
  public func trigger<Payload, Outcome>(_ event: Event<Payload, Outcome>, _ payload: Payload) -> Outcome {
    modules.trigger(event, payload)
  }

  /// Triggers an event without a payload.
  @discardableResult public func trigger<Outcome>(_ event: Event<Void, Outcome>) -> Outcome { modules.trigger(event) }

  /// Triggers an event and passes its outcome to a completion.
  ///
  /// - Parameters:
  ///   - event: The event to trigger.
  ///   - payload: The payload that the handlers receive.
  ///   - completion: A closure that is called exactly once, on the main actor, after all modules
  ///     have answered or ``timeLimit`` has passed.
  public func trigger<Payload, Outcome>(
    _ event: AsyncEvent<Payload, Outcome>, _ payload: Payload, completion: @escaping @MainActor (Outcome) -> Void
  ) {
    modules.trigger(event, payload, timeLimit: moduleTimeLimit(event), completion: completion)
  }

  /// Returns the number of seconds that modules have to answer an event.
  func moduleTimeLimit<Payload, Outcome>(_ event: AsyncEvent<Payload, Outcome>) -> Double {
    // The system shows a notification when the app has answered.
    "\(event.id)" == "\(AsyncEvent.willPresentNotification.id)" ? min(timeLimit, 2) : timeLimit
  }
}
