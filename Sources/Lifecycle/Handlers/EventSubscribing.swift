public import Registry

/// An object that accepts handlers without a module: a manager, a context, or an object that
/// receives an exported handler.
@MainActor public protocol EventSubscribing: AnyObject {
  func __add(
    _ handler: EventHandler, _ priority: Int, _ once: Bool, _ fileID: StaticString, _ line: UInt, _ column: UInt
  ) -> RegistrationToken
}

extension EventSubscribing {
  /// Adds a handler without a module.
  ///
  /// ```swift
  /// let token = modules.on(.userDidLogIn) { user, context in … }
  /// token.cancel()
  /// ```
  ///
  /// The handler's position among the modules and the other handlers without a module depends on
  /// priority and source location. Handlers that were added at the same location are called in the
  /// order they were added. Events in progress don't reach the handler, nor do events before the
  /// start or after the stop.
  ///
  /// A handler that a module or another handler adds to its context is removed with that module or
  /// handler, like the services that they register (``Context/services``). Others stay. A handler
  /// that was removed isn't called again; the manager releases its closure at the next event.
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
    __add(
      EventHandler(of: event, timing) { (_: AnyObject, payload, context) in try handler(payload, context) }, priority,
      once, fileID, line, column)
  }

  /// Adds a handler of an event without a payload.
  @discardableResult @_alwaysEmitIntoClient
  public func on<Outcome>(
    _ event: Event<Void, Outcome>, _ timing: HandlerTiming = .beforeApp, priority: Int = 0, once: Bool = false,
    fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    handler: @escaping @MainActor (Context) throws -> Outcome
  ) -> RegistrationToken {
    __add(
      EventHandler(of: event, timing) { (_: AnyObject, _, context) in try handler(context) }, priority, once,
      fileID, line, column)
  }

  /// Adds a handler that runs off the main actor, in one task for each event.
  ///
  /// ``ModuleManager/waitUntilIdle()`` waits for the tasks. Without a payload, the closure has no
  /// parameter.
  ///
  /// - Parameters:
  ///   - event: The event to handle.
  ///   - timing: The time at which the tasks are created relative to the app's own handling.
  ///   - priority: The priority among modules and handlers; the highest creates its tasks first.
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
    __add(
      EventHandler(of: event, timing, taskPriority: taskPriority, handler), priority, once,
      fileID, line, column)
  }

  /// Adds a handler of an asynchronous event. The handler runs in a task on the main actor.
  @discardableResult @_alwaysEmitIntoClient
  public func on<Payload, Outcome>(
    _ event: AsyncEvent<Payload, Outcome>, _ timing: HandlerTiming = .beforeApp, priority: Int = 0,
    once: Bool = false, fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    handler: @escaping @MainActor (Payload, Context) async throws -> Outcome
  ) -> RegistrationToken {
    __add(
      EventHandler(of: event, timing) { (_: AnyObject, payload, context) in try await handler(payload, context) },
      priority, once, fileID, line, column)
  }

  /// Adds a handler of an asynchronous event without a payload.
  @discardableResult @_alwaysEmitIntoClient
  public func on<Outcome>(
    _ event: AsyncEvent<Void, Outcome>, _ timing: HandlerTiming = .beforeApp, priority: Int = 0,
    once: Bool = false, fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column,
    handler: @escaping @MainActor (Context) async throws -> Outcome
  ) -> RegistrationToken {
    __add(
      EventHandler(of: event, timing) { (_: AnyObject, _, context) in try await handler(context) }, priority, once,
      fileID, line, column)
  }

  // MARK: - Diagnostics

  // If code handles or triggers an event incorrectly, the type checker falls back on these
  // unavailable overloads and reports their messages. See ProvideDiagnostics.swift in Registry.

  @_disfavoredOverload @_alwaysEmitIntoClient @discardableResult
  @available(
    *, unavailable,
    message: """
      a handler of an 'Event' cannot wait, because 'trigger' returns its answer; pass 'taskPriority:' if it has no \
      outcome, or declare the event as an 'AsyncEvent'; to finish work in the background, handle \
      AppHost's '.finishInBackground'; the system suspends tasks [asynchronous-handler]
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
      a handler of an 'Event' cannot wait, because 'trigger' returns its answer; pass 'taskPriority:' if it has no \
      outcome, or declare the event as an 'AsyncEvent'; to finish work in the background, handle \
      AppHost's '.finishInBackground'; the system suspends tasks [asynchronous-handler]
      """
  )
  public func on<Outcome>(
    _ event: Event<Void, Outcome>, _ timing: HandlerTiming = .beforeApp, priority: Int = 0, once: Bool = false,
    handler: @escaping @MainActor (Context) async throws -> Outcome
  ) -> RegistrationToken { fatalError() }

  /// Selected when the caller passes an identifier instead of an event.
  @_disfavoredOverload @_alwaysEmitIntoClient @discardableResult
  @available(
    *, unavailable,
    message: """
      an event is a declared value; write 'extension Event where Payload == Int, Outcome == Void { static var changed: \
      Self { .init("cart.changed") } }', and trigger it with 'trigger(.changed, 1)' [not-an-event]
      """
  )
  public func trigger<ID: StringProtocol>(_ id: ID, _ payload: Any = ()) -> Any { fatalError() }
}
