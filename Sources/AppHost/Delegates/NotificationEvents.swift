package import Lifecycle

extension SystemEventHost {
  /// Triggers an event whenever a notification is posted.
  ///
  /// Delegates, hooks, and views call the method for the same events. Only the first call for each
  /// event of a manager has an effect, so modules receive the event once.
  ///
  /// If the modules are not started, the event is reported once as `not-started`, and only if a
  /// module subscribed to it. The event of a delegate's method is reported as well.
  ///
  /// - Parameters:
  ///   - event: The event to trigger.
  ///   - afterwards: A closure that is called after the event, with a host for the same manager.
  ///   - addObserver: A closure that adds an observer, which stays for as long as the process runs.
  ///     The observer calls the closure that it receives.
  package func observe(
    _ event: Event<Void, Void>, afterwards: (@MainActor @Sendable (SystemEventHost) -> Void)? = nil,
    addObserver: (_ posted: @escaping @MainActor @Sendable () -> Void) -> Void
  ) {
    guard modules.sharedHostState.observedEvents.insert("\(event.id)").inserted else { return }
    addObserver { [weak modules, weak self] in
      guard let modules else { return }
      let host = self ?? SystemEventHost(modules)
      // The system posts the notifications throughout the process, also if the start failed.
      guard modules.isStarted || host.reportsMissed(event) else { return }
      modules.trigger(event)
      afterwards?(host)
    }
  }
  /// Returns a Boolean value that indicates whether to report that modules miss an event.
  private func reportsMissed(_ event: Event<Void, Void>) -> Bool {
    modules.subscribedEvents.contains("\(event.id)")
      && modules.sharedHostState.missedEvents.insert("\(event.id)").inserted
  }
}
