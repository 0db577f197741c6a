extension Subscriptions {
  /// Adds an asynchronous closure that receives the module, the payload, and the context.
  ///
  /// Each call runs in a task on the main actor, which begins in a later turn. The handlers of
  /// several modules run concurrently while they are suspended. ``Context/event`` is nil in the
  /// closure, because the event's own turn has ended. The task is canceled if it exceeds the time
  /// limit of `trigger` or if its module is removed. A handler that throws is reported and gives no
  /// answer.
  public func on<Payload, Outcome>(
    _ event: AsyncEvent<Payload, Outcome>, _ timing: HandlerTiming = .beforeHost,
    handler: @escaping @MainActor (M, Payload, Context) async throws -> Outcome
  ) {
    typealias Question = AsyncQuestion<Payload, Outcome>
    handlers.append(
      EventHandler(id: event.rule.id, payload: Question.self, outcome: Void.self, timing: timing, work: .answer) {
        module, question, context, _ in
        // The dispatcher calls a handler only for events with its identifier and types, and with
        // the module that subscribed.
        let module = unsafeDowncast(module, to: M.self)
        let question = question.assumingMemoryBound(to: Question.self).pointee
        question.answer(timing) { try await handler(module, question.payload, context) }
      })
  }

  /// Adds an asynchronous closure that receives the module and the context, for an event without a
  /// payload.
  public func on<Outcome>(
    _ event: AsyncEvent<Void, Outcome>, _ timing: HandlerTiming = .beforeHost,
    handler: @escaping @MainActor (M, Context) async throws -> Outcome
  ) {
    on(event, timing) { module, _, context in try await handler(module, context) }
  }

  /// Adds an asynchronous method of the module.
  ///
  /// ```swift
  /// events.on(.didReceiveRemoteNotification, call: NewsModule.fetch)
  /// ```
  // Preconcurrency for the same reason as the synchronous methods.
  @preconcurrency public func on<Payload, Outcome>(
    _ event: AsyncEvent<Payload, Outcome>, _ timing: HandlerTiming = .beforeHost,
    call method: @escaping @MainActor (M) -> @MainActor (Payload, Context) async throws -> Outcome
  ) {
    on(event, timing) { module, payload, context in try await method(module)(payload, context) }
  }

  /// Adds an asynchronous method of the module that receives only the context.
  @preconcurrency public func on<Outcome>(
    _ event: AsyncEvent<Void, Outcome>, _ timing: HandlerTiming = .beforeHost,
    call method: @escaping @MainActor (M) -> @MainActor (Context) async throws -> Outcome
  ) {
    on(event, timing) { module, context in try await method(module)(context) }
  }
}
