public import Registry

// The manager's events, for code that has only the context.
extension Context {
  /// The manager of the modules that share this context, or nil if the manager was released.
  public var modules: ModuleManager? {
    // Only a `ModuleManager` conforms to `ContextManager`.
    manager.map { unsafeDowncast($0, to: ModuleManager.self) }
  }

  /// Triggers an event in this context's manager.
  ///
  /// ```swift
  /// context.trigger(.cartDidChange, cart)
  /// ```
  ///
  /// If the manager was released, no handler is called, and the problem is reported. Otherwise, the
  /// method works like the manager's method with the same name.
  @discardableResult @_alwaysEmitIntoClient
  public func trigger<Payload, Outcome>(_ event: Event<Payload, Outcome>, _ payload: Payload) -> Outcome {
    target(of: event.id)?.trigger(event, payload) ?? event.rule.initial()
  }

  /// Triggers an event without a payload in this context's manager.
  @discardableResult @_alwaysEmitIntoClient
  public func trigger<Outcome>(_ event: Event<Void, Outcome>) -> Outcome { trigger(event, ()) }

  /// Triggers an asynchronous event in this context's manager, and waits for the answers.
  ///
  /// See ``ModuleManager/trigger(_:_:timeLimit:)``.
  public func trigger<Payload, Outcome>(
    _ event: AsyncEvent<Payload, Outcome>, _ payload: Payload, timeLimit: Double = 25
  ) async -> Outcome {
    await target(of: event.id)?.trigger(event, payload, timeLimit: timeLimit) ?? event.rule.initial()
  }

  /// Triggers an asynchronous event without a payload in this context's manager.
  public func trigger<Outcome>(_ event: AsyncEvent<Void, Outcome>, timeLimit: Double = 25) async -> Outcome {
    await trigger(event, (), timeLimit: timeLimit)
  }

  /// Returns the context's manager, or reports that the manager was released.
  @usableFromInline func target(of event: StaticString) -> ModuleManager? {
    if let modules { return modules }
    log.report(
      .warning, .notStarted, "\(event)",
      "its handlers are not called, because code used the event through the context of a released manager; retain the"
        + " manager")
    return nil
  }
}

extension Context: EventSubscribing {
  public func __add(
    _ handler: EventHandler, _ priority: Int, _ once: Bool, _ fileID: StaticString, _ line: UInt, _ column: UInt
  ) -> RegistrationToken {
    let owner = collecting?.registrations
    return target(of: handler.id)?.add(handler, priority, once, "\(fileID):\(line):\(column)", for: owner)
      ?? RegistrationToken { false }
  }
}
