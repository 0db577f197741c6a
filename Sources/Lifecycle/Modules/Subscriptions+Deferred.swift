extension Subscriptions {
  /// Adds a closure that runs in the turn of the main actor after the event's.
  ///
  /// Use it for work that the caller of `trigger` need not wait for:
  ///
  /// ```swift
  /// events.inNextTurn(.didFinishLaunching) { module, launch, context in module.warmUp() }
  /// ```
  ///
  /// The closure cannot contribute to the outcome. The closures of several modules run in order. A
  /// closure does not run if its module has been removed by then. Errors are reported, and
  /// ``ModuleManager/waitUntilIdle()`` waits for the closures. Each event allocates memory once.
  public func inNextTurn<Payload, Outcome>(
    _ event: Event<Payload, Outcome>, handler: @escaping @MainActor (M, Payload, Context) throws -> Void
  ) {
    handlers.append(
      EventHandler(id: event.id, payload: Payload.self, outcome: Outcome.self, work: .deferred) {
        module, payload, context, _ in
        // The dispatcher calls a handler only for events with its identifier and types, and with
        // the module that subscribed. The payload ends with the event, so it is copied.
        let module = unsafeDowncast(module, to: M.self)
        let payload = payload.assumingMemoryBound(to: Payload.self).pointee
        context.handlerHost?.runInNextTurn(event.id) { try handler(module, payload, context) }
      })
  }

  /// Adds a closure that runs in the turn after the event's, for an event without a payload.
  public func inNextTurn<Outcome>(
    _ event: Event<Void, Outcome>, handler: @escaping @MainActor (M, Context) throws -> Void
  ) {
    inNextTurn(event) { module, _, context in try handler(module, context) }
  }
}
