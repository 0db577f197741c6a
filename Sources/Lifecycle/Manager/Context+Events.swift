public import Registry

// Events of the manager, for features that have only the context.
extension Context {
  /// The manager of the modules that share this context, or nil after its release.
  public var modules: ModuleManager? {
    // Only a `ModuleManager` conforms to the protocol.
    manager.map { unsafeDowncast($0, to: ModuleManager.self) }
  }

  /// Triggers an event in the manager of this context.
  ///
  /// ```swift
  /// context.trigger(.cartDidChange, cart)
  /// ```
  ///
  /// After the manager's release, no handler is called, and the problem is reported. Otherwise, the
  /// method works like the ``ModuleManager`` method.
  @discardableResult @_alwaysEmitIntoClient
  public func trigger<Payload, Outcome>(_ event: Event<Payload, Outcome>, _ payload: Payload) -> Outcome {
    target(of: event.id)?.trigger(event, payload) ?? event.rule.initial()
  }

  /// Triggers an event without a payload in the manager of this context.
  @discardableResult @_alwaysEmitIntoClient
  public func trigger<Outcome>(_ event: Event<Void, Outcome>) -> Outcome { trigger(event, ()) }

  /// Triggers an asynchronous event in the manager of this context, and waits for the answers.
  ///
  /// See ``ModuleManager/trigger(_:_:timeLimit:)``.
  public func trigger<Payload, Outcome>(
    _ event: AsyncEvent<Payload, Outcome>, _ payload: Payload, timeLimit: Double = 25
  ) async -> Outcome {
    await target(of: event.id)?.trigger(event, payload, timeLimit: timeLimit) ?? event.rule.initial()
  }

  /// Triggers an asynchronous event without a payload in the manager of this context.
  public func trigger<Outcome>(_ event: AsyncEvent<Void, Outcome>, timeLimit: Double = 25) async -> Outcome {
    await trigger(event, (), timeLimit: timeLimit)
  }

  /// Returns the manager of this context, or reports that its release leaves an event unhandled.
  @usableFromInline func target(of event: StaticString) -> ModuleManager? {
    if let modules { return modules }
    log.report(
      .warning, .notStarted, "\(event)",
      "the event was triggered through the context of a manager that was released, so it is not delivered; retain the"
        + " manager")
    return nil
  }

  /// Selected when the event is given by its identifier. See ModuleManager+Handlers.swift.
  @_disfavoredOverload @_alwaysEmitIntoClient @discardableResult
  @available(
    *, unavailable,
    message: """
      an event is a declared value; write 'extension Event where Payload == Int, Outcome == Void { static var changed: \
      Self { .init("cart.changed") } }', and trigger it with 'trigger(.changed, 1)' [not-an-event]
      """
  )
  public func trigger<ID: StringProtocol>(_ id: ID, _ payload: Any = ()) -> Any { fatalError() }

  // MARK: - Handlers

  /// Adds a handler that ends with the module that adds it.
  ///
  /// ```swift
  /// func setUp(_ context: Context) {
  ///   context.on(.userDidLogOut) { context in … }
  /// }
  /// ```
  ///
  /// The handler is removed when the module is torn down, like the services that the module
  /// registers (``services``). A handler that the app adds stays. Otherwise, the method works like
  /// the ``ModuleManager`` method.
  @discardableResult @_alwaysEmitIntoClient
  public func on<Payload, Outcome>(
    _ event: Event<Payload, Outcome>, _ timing: HandlerTiming = .beforeApp, priority: Int = 0, once: Bool = false,
    fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    handler: @escaping @MainActor (Payload, Context) throws -> Outcome
  ) -> RegistrationToken {
    add(
      EventHandler(of: event, timing) { (_: AnyObject, payload, context) in try handler(payload, context) }, priority,
      once, "\(fileID):\(line):\(column)")
  }

  /// Adds a handler of an event without a payload, which ends with the module that adds it.
  @discardableResult @_alwaysEmitIntoClient
  public func on<Outcome>(
    _ event: Event<Void, Outcome>, _ timing: HandlerTiming = .beforeApp, priority: Int = 0, once: Bool = false,
    fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    handler: @escaping @MainActor (Context) throws -> Outcome
  ) -> RegistrationToken {
    add(
      EventHandler(of: event, timing) { (_: AnyObject, _, context) in try handler(context) }, priority, once,
      "\(fileID):\(line):\(column)")
  }

  /// Adds a handler of an asynchronous event, which ends with the module that adds it.
  @discardableResult @_alwaysEmitIntoClient
  public func on<Payload, Outcome>(
    _ event: AsyncEvent<Payload, Outcome>, _ timing: HandlerTiming = .beforeApp, priority: Int = 0,
    once: Bool = false, fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    handler: @escaping @MainActor (Payload, Context) async throws -> Outcome
  ) -> RegistrationToken {
    add(
      EventHandler(of: event, timing) { (_: AnyObject, payload, context) in try await handler(payload, context) },
      priority, once, "\(fileID):\(line):\(column)")
  }

  /// Adds a handler of an asynchronous event without a payload.
  @discardableResult @_alwaysEmitIntoClient
  public func on<Outcome>(
    _ event: AsyncEvent<Void, Outcome>, _ timing: HandlerTiming = .beforeApp, priority: Int = 0,
    once: Bool = false, fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    handler: @escaping @MainActor (Context) async throws -> Outcome
  ) -> RegistrationToken {
    add(
      EventHandler(of: event, timing) { (_: AnyObject, _, context) in try await handler(context) }, priority, once,
      "\(fileID):\(line):\(column)")
  }

  @usableFromInline func add(
    _ handler: EventHandler, _ priority: Int, _ once: Bool, _ location: String
  ) -> RegistrationToken {
    target(of: handler.id)?.add(handler, priority, once, location, for: collecting?.registrations)
      ?? RegistrationToken { false }
  }
}
