/// Takes a handler that belongs to no module. Not API: what an expansion of `#onEvent` calls.
///
/// Its methods have the parameters of the macro. Priority and `once` are read from the record, which tools see too.
@MainActor public final class __EventHandlers {
  /// What was subscribed; one, unless an accessor is not the macro's.
  @usableFromInline var handlers: [EventHandler] = []

  init() {}

  // Preconcurrency: in Swift 5 mode a function named as the handler is not known to be Sendable (SE-0418).
  @preconcurrency @inlinable public func on<Payload, Outcome>(
    _ event: Event<Payload, Outcome>, priority: Int = 0, once: Bool = false,
    handler: @escaping @MainActor (Payload, Context) throws -> Outcome
  ) {
    handlers.append(EventHandler(of: event, handler))
  }

  @preconcurrency @inlinable public func on<Outcome>(
    _ event: Event<Void, Outcome>, priority: Int = 0, once: Bool = false,
    handler: @escaping @MainActor (Context) throws -> Outcome
  ) {
    handlers.append(EventHandler(of: event) { _, context in try handler(context) })
  }

  @preconcurrency @inlinable public func on<Payload: Sendable>(
    _ event: Event<Payload, Void>, priority: Int = 0, once: Bool = false, taskPriority: TaskPriority,
    handler: @escaping @Sendable (Payload) async throws -> Void
  ) {
    handlers.append(EventHandler(of: event, taskPriority: taskPriority, handler))
  }

  @preconcurrency @inlinable public func on(
    _ event: Event<Void, Void>, priority: Int = 0, once: Bool = false, taskPriority: TaskPriority,
    handler: @escaping @Sendable () async throws -> Void
  ) {
    handlers.append(EventHandler(of: event, taskPriority: taskPriority) { _ in try await handler() })
  }
}

extension EventHandler {
  /// A handler that is called on the main actor.
  // Inlinable, so that its body is specialised where the event's types are known.
  @inlinable convenience init<Payload, Outcome>(
    of event: Event<Payload, Outcome>, _ handler: @escaping @MainActor (Payload, Context) throws -> Outcome
  ) {
    self.init(id: event.id, payload: Payload.self, outcome: Outcome.self) { _, payload, context, outcome in
      // The manager calls a handler for events of its id and types only.
      let answer = try handler(payload.assumingMemoryBound(to: Payload.self).pointee, context)
      if Outcome.self != Void.self {
        outcome.assumingMemoryBound(to: EventOutcome<Outcome>.self).pointee.add(answer)
      }
    }
  }

  /// A handler that runs in a task of its own for each event.
  @inlinable convenience init<Payload: Sendable>(
    of event: Event<Payload, Void>, taskPriority: TaskPriority,
    _ handler: @escaping @Sendable (Payload) async throws -> Void
  ) {
    let id = event.id
    self.init(id: id, payload: Payload.self, outcome: Void.self) { module, payload, _, _ in
      let payload = payload.assumingMemoryBound(to: Payload.self).pointee
      HandlerPlaceholder.start(module, id, taskPriority) { try await handler(payload) }
    }
  }

  /// The same handler, which is called no more once it has been called.
  func calledOnce() -> EventHandler {
    EventHandler(id: id, payload: payload, outcome: outcome) { [body] module, payload, context, outcome in
      // Before the call: an event that it triggers must not come here.
      HandlerPlaceholder.spend(module)
      try body(module, payload, context, outcome)
    }
  }
}
