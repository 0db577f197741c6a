// The overloads that the type checker falls back on when a handler is asynchronous, so that the
// compiler reports their messages. They are unavailable, so correct code never selects them. See
// ProvideDiagnostics.swift in Registry.

extension Subscriptions {
  /// Selected when the handler of an event is asynchronous.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: """
      a handler of an 'Event' cannot wait, because 'trigger' returns its answer; start a 'Task' in the handler, or \
      declare the event as an 'AsyncEvent' [asynchronous-handler]
      """
  )
  public func on<Payload, Outcome>(
    _ event: Event<Payload, Outcome>, _ timing: HandlerTiming = .beforeHost,
    handler: @escaping @MainActor (M, Payload, Context) async throws -> Outcome
  ) {}

  /// Selected when the handler of an event without a payload is asynchronous.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: """
      a handler of an 'Event' cannot wait, because 'trigger' returns its answer; start a 'Task' in the handler, or \
      declare the event as an 'AsyncEvent' [asynchronous-handler]
      """
  )
  public func on<Outcome>(
    _ event: Event<Void, Outcome>, _ timing: HandlerTiming = .beforeHost,
    handler: @escaping @MainActor (M, Context) async throws -> Outcome
  ) {}

  /// Selected when the method is asynchronous.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: """
      a handler of an 'Event' cannot wait, because 'trigger' returns its answer; start a 'Task' in the handler, or \
      declare the event as an 'AsyncEvent' [asynchronous-handler]
      """
  )
  public func on<Payload, Outcome>(
    _ event: Event<Payload, Outcome>, _ timing: HandlerTiming = .beforeHost,
    call method: @escaping @MainActor (M) -> @MainActor (Payload, Context) async throws -> Outcome
  ) {}

  /// Selected when the method is asynchronous and receives only the context.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: """
      a handler of an 'Event' cannot wait, because 'trigger' returns its answer; start a 'Task' in the handler, or \
      declare the event as an 'AsyncEvent' [asynchronous-handler]
      """
  )
  public func on<Outcome>(
    _ event: Event<Void, Outcome>, _ timing: HandlerTiming = .beforeHost,
    call method: @escaping @MainActor (M) -> @MainActor (Context) async throws -> Outcome
  ) {}
}
