public import Registry

extension ModuleManager: EventSubscribing {
  public func __add(
    _ handler: EventHandler, _ priority: Int, _ once: Bool, _ fileID: StaticString, _ line: UInt, _ column: UInt
  ) -> RegistrationToken {
    add(handler, priority, once, "\(fileID):\(line):\(column)", for: nil)
  }

  /// - Parameter owner: The registrations of the module or handler that adds the handler.
  func add(
    _ handler: EventHandler, _ priority: Int, _ once: Bool, _ location: String, for owner: OwnedRegistrations?
  ) -> RegistrationToken {
    let entry = registry.handlerEntry(handler, named: location, priority: priority, once: once, owner: owner)
    #if DEBUG
    runner.recordIfLate(handler.id, entry.name)
    #endif
    // The name is unique, and a handler has no type to look up, so the insertion succeeds.
    _ = registry.insert(entry)
    // Unlike a module, a handler doesn't wait until a setup in progress or a shutdown is over, so
    // that it receives the next event. Setting up a handler can't throw.
    if runner.state.run != nil { _ = try? entry.setUp(context) }
    let token = runner.token(for: entry)
    owner?.add(entry, token)
    return token
  }

  // MARK: - Diagnostics

  // The type checker falls back on these overloads when an event is triggered incorrectly, and
  // reports their messages. They are unavailable, so correct code never selects them. See
  // ProvideDiagnostics.swift in Registry.

  /// Selected when the event has a payload.
  @_disfavoredOverload @_alwaysEmitIntoClient @discardableResult
  @available(
    *, unavailable,
    message: "the event has a payload; pass it after the event: 'trigger(event, payload)' [missing-payload]"
  )
  public func trigger<Payload, Outcome>(_ event: Event<Payload, Outcome>) -> Outcome { fatalError() }

  /// Selected when the event is asynchronous and has a payload.
  @_disfavoredOverload @_alwaysEmitIntoClient @discardableResult
  @available(
    *, unavailable,
    message: "the event has a payload; pass it after the event: 'await trigger(event, payload)' [missing-payload]"
  )
  public func trigger<Payload, Outcome>(_ event: AsyncEvent<Payload, Outcome>) -> Outcome { fatalError() }

  /// Selected when a synchronous event is triggered with a time limit or a completion.
  @_disfavoredOverload @_alwaysEmitIntoClient @discardableResult
  @available(
    *, unavailable,
    message: """
      'trigger' returns the outcome of an 'Event', which has no 'timeLimit:' and no 'completion:'; remove them, or declare \
      the event as an 'AsyncEvent' [not-an-event]
      """
  )
  public func trigger<Payload, Outcome>(
    _ event: Event<Payload, Outcome>, _ payload: Payload, timeLimit: Double = 25,
    completion: ((Outcome) -> Void)? = nil
  ) -> Outcome { fatalError() }

  /// Selected when an asynchronous event is triggered with `app` but no completion.
  @_disfavoredOverload @_alwaysEmitIntoClient @discardableResult
  @available(
    *, unavailable,
    message: """
      an asynchronous event calls the app with a closure for its answer, and passes the outcome to 'completion:'; \
      write 'trigger(event, payload, app: { answer in … }, completion: { outcome in … })' [missing-completion]
      """
  )
  public func trigger<Payload, Outcome>(
    _ event: AsyncEvent<Payload, Outcome>, _ payload: Payload, app: @MainActor (Payload) -> Outcome
  ) -> Outcome { fatalError() }

}
