/// The events that a module handles.
///
/// ``Module/subscribe(_:)`` adds the handlers before the module exists. Handlers run on the main
/// actor, in module order and, within a module, in the order they were added. A thrown error is
/// reported with the handler's module and event, and the other handlers run.
// A structure, because the runtime would create a class's metadata for each type of module.
@MainActor public struct Subscriptions<M: Module> {
  @usableFromInline let added = __EventHandlers()

  init() {}

  /// Adds a closure that receives the module, the payload, and the context.
  ///
  /// - Parameters:
  ///   - event: The event to handle.
  ///   - timing: The time at which the handler runs relative to the app's own handling.
  ///   - handler: The closure, whose result is combined with the other handlers' results.
  @_alwaysEmitIntoClient public func on<Payload, Outcome>(
    _ event: Event<Payload, Outcome>, _ timing: HandlerTiming = .beforeApp,
    handler: @escaping @MainActor (M, Payload, Context) throws -> Outcome
  ) {
    added.handlers.append(EventHandler(of: event, timing, handler))
  }

  /// Adds a closure that receives the module and the context, for an event without a payload.
  @_alwaysEmitIntoClient public func on<Outcome>(
    _ event: Event<Void, Outcome>, _ timing: HandlerTiming = .beforeApp,
    handler: @escaping @MainActor (M, Context) throws -> Outcome
  ) {
    added.handlers.append(EventHandler(of: event, timing) { module, _, context in try handler(module, context) })
  }

  // MARK: - Asynchronous events

  /// Adds an asynchronous closure that receives the module, the payload, and the context.
  ///
  /// Each call runs in its own task on the main actor. The task begins in a later turn, so
  /// ``Context/event`` is nil in the closure. While a handler is suspended, other handlers can run.
  /// The task is canceled if it exceeds the time limit of `trigger`, or if its module is removed or
  /// stopped. A handler that throws is reported and gives no answer.
  @_alwaysEmitIntoClient public func on<Payload, Outcome>(
    _ event: AsyncEvent<Payload, Outcome>, _ timing: HandlerTiming = .beforeApp,
    handler: @escaping @MainActor (M, Payload, Context) async throws -> Outcome
  ) {
    added.handlers.append(EventHandler(of: event, timing, handler))
  }

  /// Adds an asynchronous closure that receives the module and the context, for an event without a
  /// payload.
  @_alwaysEmitIntoClient public func on<Outcome>(
    _ event: AsyncEvent<Void, Outcome>, _ timing: HandlerTiming = .beforeApp,
    handler: @escaping @MainActor (M, Context) async throws -> Outcome
  ) {
    on(event, timing) { module, _, context in try await handler(module, context) }
  }

  // MARK: - Deferred work

  /// Adds a closure that runs in the main actor's next turn after the event.
  ///
  /// Use it for work that the caller of `trigger` need not wait for:
  ///
  /// ```swift
  /// events.inNextTurn(.didFinishLaunching) { module, launch, context in module.warmUp() }
  /// ```
  ///
  /// The closure can't contribute to the outcome. Closures of several modules run in module order.
  /// A closure doesn't run if its module was removed or stopped. Errors are reported, and
  /// ``ModuleManager/waitUntilIdle()`` waits for the closures. Each call allocates memory.
  public func inNextTurn<Payload, Outcome>(
    _ event: Event<Payload, Outcome>, handler: @escaping @MainActor (M, Payload, Context) throws -> Void
  ) {
    added.handlers.append(
      EventHandler(
        id: event.id, declaration: event.declaration, payload: Payload.self, outcome: Outcome.self, work: .deferred
      ) {
        module, payload, context, _ in
        // The dispatcher calls a handler only for events with its identifier and types, and with
        // the module that subscribed. Copy the payload, whose lifetime ends with the event.
        let module = unsafeDowncast(module, to: M.self)
        let payload = payload.assumingMemoryBound(to: Payload.self).pointee
        context.runInNextTurn(event.id) { try handler(module, payload, context) }
      })
  }

  /// Adds a closure that runs in the main actor's next turn after an event without a payload.
  public func inNextTurn<Outcome>(
    _ event: Event<Void, Outcome>, handler: @escaping @MainActor (M, Context) throws -> Void
  ) {
    inNextTurn(event) { module, _, context in try handler(module, context) }
  }

  // MARK: - Diagnostics

  // The type checker falls back on these overloads when a handler has the wrong form, and reports
  // their messages. They are unavailable, so correct code never selects them. See
  // ProvideDiagnostics.swift in Registry.

  /// Selected when the handler of an event is asynchronous.
  @_disfavoredOverload @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message: """
      a handler of an 'Event' cannot wait, because 'trigger' returns its answer; start a 'Task' in it, or declare the \
      event as an 'AsyncEvent'; to finish work in the background, handle \
      AppHost's '.finishInBackground'; the system suspends tasks [asynchronous-handler]
      """
  )
  public func on<Payload, Outcome>(
    _ event: Event<Payload, Outcome>, _ timing: HandlerTiming = .beforeApp,
    handler: @escaping @MainActor (M, Payload, Context) async throws -> Outcome
  ) {}

  /// Selected when the handler of an event without a payload is asynchronous.
  @_disfavoredOverload @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message: """
      a handler of an 'Event' cannot wait, because 'trigger' returns its answer; start a 'Task' in it, or declare the \
      event as an 'AsyncEvent'; to finish work in the background, handle \
      AppHost's '.finishInBackground'; the system suspends tasks [asynchronous-handler]
      """
  )
  public func on<Outcome>(
    _ event: Event<Void, Outcome>, _ timing: HandlerTiming = .beforeApp,
    handler: @escaping @MainActor (M, Context) async throws -> Outcome
  ) {}

  /// Selected for a method of the module instead of a closure.
  @_documentation(visibility: internal) @_disfavoredOverload @_alwaysEmitIntoClient
  @available(*, unavailable, message: "write a closure: '{ module, payload, context in module.method(payload) }'")
  public func on<Payload, Outcome, each Input, Output>(
    _ event: Event<Payload, Outcome>, _ timing: HandlerTiming = .beforeApp,
    handler: (M) -> @MainActor (repeat each Input) async throws -> Output
  ) {}

  /// Selected for a method of the module instead of a closure.
  @_documentation(visibility: internal) @_disfavoredOverload @_alwaysEmitIntoClient
  @available(*, unavailable, message: "write a closure: '{ module, payload, context in module.method(payload) }'")
  public func on<Payload, Outcome, each Input, Output>(
    _ event: AsyncEvent<Payload, Outcome>, _ timing: HandlerTiming = .beforeApp,
    handler: (M) -> @MainActor (repeat each Input) async throws -> Output
  ) {}

  /// Selected for a method of the module instead of a closure.
  @_documentation(visibility: internal) @_disfavoredOverload @_alwaysEmitIntoClient
  @available(*, unavailable, message: "write a closure: '{ module, payload, context in module.method(payload) }'")
  public func on<Payload, Outcome, each Input, Output>(
    _ event: Event<Payload, Outcome>, _ handler: (M) -> @MainActor (repeat each Input) async throws -> Output
  ) {}

  /// Selected for a method of the module instead of a closure.
  @_documentation(visibility: internal) @_disfavoredOverload @_alwaysEmitIntoClient
  @available(*, unavailable, message: "write a closure: '{ module, payload, context in module.method(payload) }'")
  public func on<Payload, Outcome, each Input, Output>(
    _ event: AsyncEvent<Payload, Outcome>, _ handler: (M) -> @MainActor (repeat each Input) async throws -> Output
  ) {}

  /// Selected for a method of the module instead of a closure.
  @_documentation(visibility: internal) @_disfavoredOverload @_alwaysEmitIntoClient
  @available(*, unavailable, message: "write a closure: '{ module, payload, context in module.method(payload) }'")
  public func inNextTurn<Payload, Outcome, each Input, Output>(
    _ event: Event<Payload, Outcome>, handler: (M) -> @MainActor (repeat each Input) async throws -> Output
  ) {}

  /// Selected for a closure that returns an answer.
  @_documentation(visibility: internal) @_disfavoredOverload @_alwaysEmitIntoClient
  @available(*, unavailable, message: "the turn after the event is too late for an answer; return it in 'on'")
  public func inNextTurn<Payload, Outcome>(
    _ event: Event<Payload, Outcome>, handler: @MainActor (M, Payload, Context) throws -> Outcome
  ) {}

  /// Selected for an asynchronous event.
  @_documentation(visibility: internal) @_disfavoredOverload @_alwaysEmitIntoClient
  @available(*, unavailable, message: "handlers of an 'AsyncEvent' begin in a later turn; use 'on'")
  public func inNextTurn<Payload, Outcome, Output>(
    _ event: AsyncEvent<Payload, Outcome>, handler: @MainActor (M, Payload, Context) async throws -> Output
  ) {}
}
