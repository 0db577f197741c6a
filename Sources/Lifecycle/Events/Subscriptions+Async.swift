extension Subscriptions {
  /// Calls an asynchronous closure with the module, the payload and the context.
  ///
  /// Each handler runs in a task of its own on the main actor, which starts in a later turn; those of several modules
  /// run side by side wherever they wait. ``Context/event`` is nil there: the event's own turn is over. Whoever takes
  /// longer than the asker waits is cancelled, and so is a module that is taken out meanwhile. A handler that throws is
  /// reported and counts as no answer.
  public func on<Payload, Outcome>(
    _ event: AsyncEvent<Payload, Outcome>,
    handler: @escaping @MainActor (M, Payload, Context) async throws -> Outcome
  ) {
    on(event.question) { module, question, context in
      question.answer { try await handler(module, question.payload, context) }
    }
  }

  /// Calls an asynchronous closure with the module and the context, for an event without a payload.
  public func on<Outcome>(
    _ event: AsyncEvent<Void, Outcome>, handler: @escaping @MainActor (M, Context) async throws -> Outcome
  ) {
    on(event.question) { module, question, context in
      question.answer { try await handler(module, context) }
    }
  }

  /// Calls an asynchronous method of the module: `events.on(.didReceiveRemoteNotification, call: NewsModule.fetch)`.
  // Preconcurrency: as of the synchronous ones.
  @preconcurrency public func on<Payload, Outcome>(
    _ event: AsyncEvent<Payload, Outcome>,
    call method: @escaping @MainActor (M) -> @MainActor (Payload, Context) async throws -> Outcome
  ) {
    on(event) { module, payload, context in try await method(module)(payload, context) }
  }

  /// Calls an asynchronous method of the module that takes the context alone.
  @preconcurrency public func on<Outcome>(
    _ event: AsyncEvent<Void, Outcome>,
    call method: @escaping @MainActor (M) -> @MainActor (Context) async throws -> Outcome
  ) {
    on(event) { module, context in try await method(module)(context) }
  }
}
