/// When a handler is called, seen from the app's own handling of the event: ``ModuleManager/trigger(_:_:host:)``.
///
/// Within each of the two the order of modules holds. Where the host does nothing itself one comes right after the other.
@frozen public enum HandlerTiming: Sendable, Hashable {
  /// Before the app's own handling.
  case beforeHost
  /// After it: the app's own handler, such as an app delegate's method, has returned.
  case afterHost
}

extension Subscriptions {
  /// Calls a closure in the turn of the main loop after the event's: for what need not hold the event up.
  ///
  /// ```swift
  /// events.inNextTurn(.didFinishLaunching) { module, launch, context in module.warmUp() }
  /// ```
  ///
  /// It answers nothing, as the outcome is out by then. Those of all modules are called in order, unless their module was taken out
  /// meanwhile. What it throws is reported. ``ModuleManager/waitUntilIdle()`` waits for it. One allocation a call.
  public func inNextTurn<Payload, Outcome>(
    _ event: Event<Payload, Outcome>, handler: @escaping @MainActor (M, Payload, Context) throws -> Void
  ) {
    handlers.append(
      EventHandler(id: event.id, payload: Payload.self, outcome: Outcome.self) { module, payload, context, _ in
        // Unsafe: as in `add`. The payload goes with the event, so it is copied.
        let module = unsafeDowncast(module, to: M.self)
        let payload = payload.assumingMemoryBound(to: Payload.self).pointee
        context.inNextTurn(event.id) { try handler(module, payload, context) }
      })
  }

  /// Calls a closure in the turn after the event's, for an event without a payload.
  public func inNextTurn<Outcome>(
    _ event: Event<Void, Outcome>, handler: @escaping @MainActor (M, Context) throws -> Void
  ) {
    inNextTurn(event) { module, _, context in try handler(module, context) }
  }
}

extension Context {
  /// Does what the handler that is under way left for the next turn, if its module is still there then.
  fileprivate func inNextTurn(_ event: StaticString, _ work: @escaping @MainActor () throws -> Void) {
    // A handler is called by a manager, which has this context and lives as long as the call.
    guard let manager, let entry = manager.dispatch.frame?.pointee.entry else { return }
    let instance = entry.instance
    manager.inNextTurn {
      guard entry.state == .setUp, entry.instance === instance else { return }
      do {
        try work()
      } catch {
        manager.reportHandler(of: event, entry, threw: error)
      }
    }
  }
}
