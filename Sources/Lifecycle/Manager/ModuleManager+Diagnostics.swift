// The overloads that the type checker falls back on when an event is triggered or handled wrongly,
// so that the compiler reports their messages. They are unavailable, so correct code never selects
// them. See ProvideDiagnostics.swift in Registry.

public import Registry

extension ModuleManager {
  /// Selected when the event has a payload.
  @_disfavoredOverload @discardableResult
  @available(
    *, unavailable,
    message: "the event has a payload; pass it after the event: 'trigger(event, payload)' [missing-payload]"
  )
  public func trigger<Payload, Outcome>(_ event: Event<Payload, Outcome>) -> Outcome { fatalError() }

  /// Selected when the event is asynchronous and has a payload.
  @_disfavoredOverload @discardableResult
  @available(
    *, unavailable,
    message: "the event has a payload; pass it after the event: 'await trigger(event, payload)' [missing-payload]"
  )
  public func trigger<Payload, Outcome>(_ event: AsyncEvent<Payload, Outcome>) -> Outcome { fatalError() }

  /// Selected when an asynchronous event has a host and no completion.
  @_disfavoredOverload @discardableResult
  @available(
    *, unavailable,
    message: """
      an asynchronous event calls the app with a closure for its answer, and passes the outcome to 'completion:'; \
      write 'trigger(event, payload, host: { answer in … }, completion: { outcome in … })' [missing-completion]
      """
  )
  public func trigger<Payload, Outcome>(
    _ event: AsyncEvent<Payload, Outcome>, _ payload: Payload, host: @MainActor (Payload) -> Outcome
  ) -> Outcome { fatalError() }

  /// Selected when the handler of an event is asynchronous.
  @_disfavoredOverload @discardableResult
  @available(
    *, unavailable,
    message: """
      a handler of an 'Event' cannot wait, because 'trigger' returns its answer; declare the \
      event as an 'AsyncEvent', or, if it has no outcome, pass 'taskPriority:' to run the handler in a task [asynchronous-handler]
      """
  )
  public func on<Payload, Outcome>(
    _ event: Event<Payload, Outcome>, _ timing: HandlerTiming = .beforeHost, priority: Int = 0, once: Bool = false,
    handler: @escaping @MainActor (Payload, Context) async throws -> Outcome
  ) -> RegistrationToken { fatalError() }

  /// Selected when the handler of an event without a payload is asynchronous.
  @_disfavoredOverload @discardableResult
  @available(
    *, unavailable,
    message: """
      a handler of an 'Event' cannot wait, because 'trigger' returns its answer; declare the \
      event as an 'AsyncEvent', or, if it has no outcome, pass 'taskPriority:' to run the handler in a task [asynchronous-handler]
      """
  )
  public func on<Outcome>(
    _ event: Event<Void, Outcome>, _ timing: HandlerTiming = .beforeHost, priority: Int = 0, once: Bool = false,
    handler: @escaping @MainActor (Context) async throws -> Outcome
  ) -> RegistrationToken { fatalError() }
}
