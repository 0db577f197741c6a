package import Lifecycle

extension ModuleManager {
  /// Triggers an event whenever a notification is posted.
  ///
  /// Delegates, hooks, and views call the method for the same events. Only the first call for each
  /// event and manager has an effect, so modules receive the event once.
  ///
  /// If the modules are not started, an event that has a handler is reported once as `not-started`.
  ///
  /// - Parameters:
  ///   - afterwards: A closure that receives the manager after the event.
  ///   - addObserver: A closure that adds an observer, which stays until the process ends. The
  ///     observer passes the event's payload to the closure's argument.
  package func observe<Payload>(
    _ event: Event<Payload, Void>, afterwards: (@MainActor @Sendable (ModuleManager) -> Void)? = nil,
    addObserver: (_ posted: @escaping @MainActor @Sendable (Payload) -> Void) -> Void
  ) {
    guard sharedHostState.observedEvents.insert("\(event.id)").inserted else { return }
    addObserver { [weak self] payload in
      // The system posts notifications even if the modules failed to start.
      guard let self, isStarted || reportsMissed("\(event.id)") else { return }
      trigger(event, payload)
      afterwards?(self)
    }
  }

  func reportsMissed(_ event: String) -> Bool {
    subscribedEvents.contains(event) && sharedHostState.missedEvents.insert(event).inserted
  }
}
