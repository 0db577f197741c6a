/// A handler without its type parameters, so that the dispatch of events is not generic.
@usableFromInline final class EventHandler {
  let id: StaticString
  let payload: Any.Type
  let outcome: Any.Type
  let timing: HandlerTiming
  let body: @MainActor (AnyObject, UnsafeRawPointer, Context, UnsafeMutableRawPointer) throws -> Void

  @usableFromInline init(
    id: StaticString, payload: Any.Type, outcome: Any.Type, timing: HandlerTiming = .beforeHost,
    body: @escaping @MainActor (AnyObject, UnsafeRawPointer, Context, UnsafeMutableRawPointer) throws -> Void
  ) {
    self.id = id
    self.payload = payload
    self.outcome = outcome
    self.timing = timing
    self.body = body
  }

  /// The same object for code that runs on the main actor without being isolated to it; see
  /// ``DispatchStack/call(_:_:_:_:)``.
  ///
  /// Both classes have the same layout, because a function's isolation is part of its type and not
  /// of its value. A cast of the function itself wraps it in two thunks, which every call goes
  /// through.
  nonisolated var unisolated: Unmanaged<UnisolatedHandler> {
    .fromOpaque(Unmanaged.passUnretained(self).toOpaque())
  }
}

/// The layout of ``EventHandler`` for code without isolation. It has no instances of its own.
final class UnisolatedHandler {
  let id: StaticString
  let payload: Any.Type
  let outcome: Any.Type
  let timing: HandlerTiming
  let body: (AnyObject, UnsafeRawPointer, Context, UnsafeMutableRawPointer) throws -> Void

  private init(body: @escaping (AnyObject, UnsafeRawPointer, Context, UnsafeMutableRawPointer) throws -> Void) {
    (id, payload, outcome, timing) = ("", Never.self, Never.self, .beforeHost)
    self.body = body
  }
}

// The initializers are inlinable so that their closures are specialized for the event's types.
extension EventHandler {
  /// Creates a handler that runs on the main actor.
  @inlinable convenience init<Payload, Outcome>(
    of event: Event<Payload, Outcome>, _ timing: HandlerTiming,
    _ handler: @escaping @MainActor (Payload, Context) throws -> Outcome
  ) {
    self.init(id: event.id, payload: Payload.self, outcome: Outcome.self, timing: timing) {
      _, payload, context, outcome in
      // The dispatcher calls a handler only for events with its identifier and types.
      let answer = try handler(payload.assumingMemoryBound(to: Payload.self).pointee, context)
      if Outcome.self != Void.self {
        outcome.assumingMemoryBound(to: EventOutcome<Outcome>.self).pointee.add(answer)
      }
    }
  }

  /// Creates a handler of a module.
  @inlinable convenience init<M: AnyObject, Payload, Outcome>(
    of event: Event<Payload, Outcome>, _ timing: HandlerTiming,
    _ handler: @escaping @MainActor (M, Payload, Context) throws -> Outcome
  ) {
    self.init(id: event.id, payload: Payload.self, outcome: Outcome.self, timing: timing) {
      module, payload, context, outcome in
      // The dispatcher calls a handler only for events with its identifier and types, and with the
      // module that subscribed.
      let answer = try handler(
        unsafeDowncast(module, to: M.self), payload.assumingMemoryBound(to: Payload.self).pointee, context)
      if Outcome.self != Void.self {
        outcome.assumingMemoryBound(to: EventOutcome<Outcome>.self).pointee.add(answer)
      }
    }
  }

  /// Creates a handler that runs off the main actor, in one task for each event.
  @inlinable convenience init<Payload: Sendable>(
    of event: Event<Payload, Void>, _ timing: HandlerTiming, taskPriority: TaskPriority,
    _ handler: @escaping @Sendable (Payload) async throws -> Void
  ) {
    let id = event.id
    self.init(id: id, payload: Payload.self, outcome: Void.self, timing: timing) { _, payload, context, _ in
      let payload = payload.assumingMemoryBound(to: Payload.self).pointee
      context.runInTask(id, taskPriority) { try await handler(payload) }
    }
  }

  /// Creates a handler of an asynchronous event, which runs in a task on the main actor.
  @usableFromInline convenience init<Payload, Outcome>(
    of event: AsyncEvent<Payload, Outcome>, _ timing: HandlerTiming,
    _ handler: @escaping @MainActor (Payload, Context) async throws -> Outcome
  ) {
    self.init(of: event.question, timing) { question, context in
      question.answer(timing) { try await handler(question.payload, context) }
    }
  }

  /// Returns the same handler, whose registration ends when it is called.
  func calledOnce() -> EventHandler {
    EventHandler(id: id, payload: payload, outcome: outcome, timing: timing) {
      [body] module, payload, context, outcome in
      // End the registration before the call, because the handler can trigger the event again.
      context.handlerHost?.consumeCurrentHandler()
      try body(module, payload, context, outcome)
    }
  }
}

extension Context {
  @usableFromInline func runInTask(
    _ event: StaticString, _ priority: TaskPriority, _ work: @escaping @Sendable () async throws -> Void
  ) {
    handlerHost?.runInTask(event, priority, work)
  }
}
