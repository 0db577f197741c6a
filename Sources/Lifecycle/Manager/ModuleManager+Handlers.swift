public import Registry

extension ModuleManager {
  /// Adds a handler without a module.
  ///
  /// ```swift
  /// let token = modules.on(.userDidLogIn) { user, context in … }
  /// token.cancel()
  /// ```
  ///
  /// The handler's position among the modules and the handlers of `#onEvent` depends on its
  /// priority and its source location. Handlers that were added at one location are called in the
  /// order in which they were added. Events in progress don't reach the handler. It is inactive
  /// before the start and after the stop.
  ///
  /// - Parameters:
  ///   - event: The event to handle.
  ///   - timing: The time at which the handler runs relative to the app's own handling.
  ///   - priority: The priority among modules and handlers; the highest runs first.
  ///   - once: A Boolean value that indicates whether the handler is removed when it is called.
  ///   - fileID: The file of the caller, which is part of the handler's position.
  ///   - line: The line of the caller.
  ///   - column: The column of the caller.
  ///   - handler: The closure. A thrown error is reported, and the other handlers are called.
  /// - Returns: A token that removes the handler.
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

  /// Adds a handler of an event without a payload.
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

  /// Adds a handler that runs off the main actor, in one task for each event.
  ///
  /// ``waitUntilIdle()`` waits for the tasks.
  ///
  /// - Parameters:
  ///   - event: The event to handle.
  ///   - timing: The time at which the tasks begin relative to the app's own handling.
  ///   - priority: The priority among modules and handlers; the tasks of the highest begin first.
  ///   - once: A Boolean value that indicates whether the handler is removed when it is called.
  ///   - taskPriority: The priority of the tasks.
  ///   - fileID: The file of the caller, which is part of the handler's position.
  ///   - line: The line of the caller.
  ///   - column: The column of the caller.
  ///   - handler: The closure. An error that it throws is reported.
  @discardableResult @_alwaysEmitIntoClient
  public func on<Payload: Sendable>(
    _ event: Event<Payload, Void>, _ timing: HandlerTiming = .beforeApp, priority: Int = 0, once: Bool = false,
    taskPriority: TaskPriority, fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    handler: @escaping @Sendable (Payload) async throws -> Void
  ) -> RegistrationToken {
    add(
      EventHandler(of: event, timing, taskPriority: taskPriority, handler), priority, once,
      "\(fileID):\(line):\(column)")
  }

  /// Adds a handler that runs off the main actor, for an event without a payload.
  @discardableResult @_alwaysEmitIntoClient
  public func on(
    _ event: Event<Void, Void>, _ timing: HandlerTiming = .beforeApp, priority: Int = 0, once: Bool = false,
    taskPriority: TaskPriority, fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    handler: @escaping @Sendable () async throws -> Void
  ) -> RegistrationToken {
    add(
      EventHandler(of: event, timing, taskPriority: taskPriority) { _ in try await handler() }, priority, once,
      "\(fileID):\(line):\(column)")
  }

  /// Adds a handler of an asynchronous event, which runs in a task on the main actor.
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
  ) -> RegistrationToken { add(handler, priority, once, location, for: nil) }

  /// - Parameter owner: The registrations of the module or handler that owns the handler.
  func add(
    _ handler: EventHandler, _ priority: Int, _ once: Bool, _ location: String, for owner: OwnedRegistrations?
  ) -> RegistrationToken {
    let entry = registry.handlerEntry(handler, named: location, priority: priority, once: once, image: nil)
    #if DEBUG
    runner.recordIfLate(handler.id, entry.name)
    #endif
    // The name is unique and the handler is known, so the entry is always inserted.
    if registry.insert(entry) { runner.setUpPending() }
    // The module that adds the handler during its setup expects the events of later modules. A
    // handler throws no error.
    if runner.state.run?.isStarting == true { _ = try? entry.setUp(context) }
    let token = RegistrationToken.onMainActor { [weak runner, weak entry] in
      guard let runner, let entry else { return false }
      return runner.cancel(entry)
    }
    owner?.add(entry, token)
    return token
  }

  // MARK: - Diagnostics

  // The type checker falls back on these overloads when an event is triggered or handled wrongly,
  // and reports their messages. They are unavailable, so correct code never selects them. See
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

  /// Selected when the event is given by its identifier.
  @_disfavoredOverload @_alwaysEmitIntoClient @discardableResult
  @available(
    *, unavailable,
    message: """
      an event is a declared value; write 'extension Event where Payload == Int, Outcome == Void { static var changed: \
      Self { .init("cart.changed") } }', and trigger it with 'trigger(.changed, 1)' [not-an-event]
      """
  )
  public func trigger<ID: StringProtocol>(_ id: ID, _ payload: Any = ()) -> Any { fatalError() }

  /// Selected when a synchronous event has a time limit or a completion.
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

  /// Selected when an asynchronous event calls the app and has no completion.
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

  /// Selected when the handler of an event is asynchronous.
  @_disfavoredOverload @_alwaysEmitIntoClient @discardableResult
  @available(
    *, unavailable,
    message: """
      a handler of an 'Event' cannot wait, because 'trigger' returns its answer; declare the \
      event as an 'AsyncEvent', or, if it has no outcome, pass 'taskPriority:' to run the handler in a task [asynchronous-handler]
      """
  )
  public func on<Payload, Outcome>(
    _ event: Event<Payload, Outcome>, _ timing: HandlerTiming = .beforeApp, priority: Int = 0, once: Bool = false,
    handler: @escaping @MainActor (Payload, Context) async throws -> Outcome
  ) -> RegistrationToken { fatalError() }

  /// Selected when the handler of an event without a payload is asynchronous.
  @_disfavoredOverload @_alwaysEmitIntoClient @discardableResult
  @available(
    *, unavailable,
    message: """
      a handler of an 'Event' cannot wait, because 'trigger' returns its answer; declare the \
      event as an 'AsyncEvent', or, if it has no outcome, pass 'taskPriority:' to run the handler in a task [asynchronous-handler]
      """
  )
  public func on<Outcome>(
    _ event: Event<Void, Outcome>, _ timing: HandlerTiming = .beforeApp, priority: Int = 0, once: Bool = false,
    handler: @escaping @MainActor (Context) async throws -> Outcome
  ) -> RegistrationToken { fatalError() }
}
