import Registry

/// A handler without type parameters, so that dispatch is not generic.
// Unchecked: all properties are constants of Sendable types except `body`, which is called only on
// the main actor.
@_documentation(visibility: internal) public final class EventHandler: @unchecked Sendable {
  /// The time at which the client's code runs.
  @usableFromInline package enum Work: Sendable {
    /// During the dispatch.
    case immediate
    /// Later. Observers are notified when the code runs.
    case deferred
    /// Later, as the answer to an asynchronous event.
    case answer
  }

  let id: StaticString
  /// The name of the property that declares the event; see ``isOfOtherEvent(than:)``.
  let declaration: StaticString
  let payload: Any.Type
  let outcome: Any.Type
  package let timing: HandlerTiming
  #if DEBUG
  /// The rule that combines the answers; nil for an outcome other than `Bool`.
  @usableFromInline package var rule: CombiningRule<Bool>?
  #endif
  package let work: Work
  /// The closure that calls the handler. Only code on the main actor may call it.
  ///
  /// The type omits the isolation; ``DispatchStack/call(_:_:_:_:_:)`` explains why.
  let body: (AnyObject, UnsafeRawPointer, Context, UnsafeMutableRawPointer) throws -> Void

  @usableFromInline init(
    id: StaticString, declaration: StaticString, payload: Any.Type, outcome: Any.Type,
    timing: HandlerTiming = .beforeApp, work: Work = .immediate,
    body: @escaping @MainActor (AnyObject, UnsafeRawPointer, Context, UnsafeMutableRawPointer) throws -> Void
  ) {
    self.id = id
    self.declaration = declaration
    self.payload = payload
    self.outcome = outcome
    self.timing = timing
    self.work = work
    // A function's isolation doesn't change its representation, so both structures have the same
    // layout. `assumeIsolated` in the standard library relies on this too. Casting the function
    // itself would add two thunks to every call; see also `withoutIsolation` in Registry.
    self.body = unsafeBitCast(IsolatedBody(function: body), to: UnisolatedBody.self).function
  }
}

private struct IsolatedBody {
  let function: @MainActor (AnyObject, UnsafeRawPointer, Context, UnsafeMutableRawPointer) throws -> Void
}

private struct UnisolatedBody {
  let function: (AnyObject, UnsafeRawPointer, Context, UnsafeMutableRawPointer) throws -> Void
}

// The initializers for an `Event` are inlinable, to specialize their closures for its types.
extension EventHandler {
  /// Creates a handler that receives its module, or a placeholder if it has no module.
  @_alwaysEmitIntoClient convenience init<M: AnyObject, Payload, Outcome>(
    of event: Event<Payload, Outcome>, _ timing: HandlerTiming, work: Work = .immediate,
    _ handler: @escaping @MainActor (M, Payload, Context) throws -> Outcome
  ) {
    self.init(
      id: event.id, declaration: event.declaration, payload: Payload.self, outcome: Outcome.self, timing: timing,
      work: work
    ) {
      module, payload, context, outcome in
      // The dispatcher calls a handler only for events with its identifier and types, and with the
      // module that subscribed.
      let answer = try handler(
        unsafeDowncast(module, to: M.self), payload.assumingMemoryBound(to: Payload.self).pointee, context)
      if Outcome.self != Void.self {
        outcome.assumingMemoryBound(to: EventOutcome<Outcome>.self).pointee.add(answer)
      }
    }
    #if DEBUG
    rule = event.rule as? CombiningRule<Bool>
    #endif
  }

  /// Creates a handler that runs off the main actor, in one task for each event.
  @_alwaysEmitIntoClient convenience init<Payload: Sendable>(
    of event: Event<Payload, Void>, _ timing: HandlerTiming, taskPriority: TaskPriority,
    _ handler: @escaping @Sendable (Payload) async throws -> Void
  ) {
    let id = event.id
    self.init(of: event, timing, work: .deferred) { (_: AnyObject, payload, context) in
      context.runInTask(id, taskPriority) { try await handler(payload) }
    }
  }

  /// Creates a handler of an asynchronous event. The handler runs in a task on the main actor.
  @usableFromInline convenience init<M: AnyObject, Payload, Outcome>(
    of event: AsyncEvent<Payload, Outcome>, _ timing: HandlerTiming,
    _ handler: @escaping @MainActor (M, Payload, Context) async throws -> Outcome
  ) {
    self.init(of: event.question, timing, work: .answer) { (module: M, question, context) in
      question.answer(timing) { try await handler(module, question.payload, context) }
    }
    #if DEBUG
    rule = event.rule as? CombiningRule<Bool>
    #endif
  }

  /// Returns whether two handlers of one identifier are for events with different property names.
  ///
  /// Features can declare the same event without importing each other, so properties with the same
  /// name are the same event. If `declaration` names a function, type, or module instead of a
  /// property, it says nothing about the event.
  func isOfOtherEvent(than other: EventHandler) -> Bool {
    let (own, others) = ("\(declaration)", "\(other.declaration)")
    return own != others && own.isPropertyName && others.isPropertyName
  }

  /// Returns a handler that ends its own registration before calling this handler.
  func calledOnce() -> EventHandler {
    // `PendingAnswer` ends the registration of a handler that answers later.
    if work == .answer { return self }
    return called { context in
      // End the registration before the call, because the handler can trigger the event again.
      if let owner = context.currentOwner { context.manager?.consume(owner) }
      return true
    }
  }

  func called(when condition: @escaping @MainActor (Context) -> Bool) -> EventHandler {
    let handler = EventHandler(
      id: id, declaration: declaration, payload: payload, outcome: outcome, timing: timing, work: work
    ) {
      module, payload, context, outcome in
      if condition(context) { try self.body(module, payload, context, outcome) }
    }
    #if DEBUG
    handler.rule = rule
    #endif
    return handler
  }
}

extension String {
  fileprivate var isPropertyName: Bool { last != ")" && first?.isLowercase == true }
}

extension Context {
  /// Runs the current handler's work in the main actor's next turn if its module is still set up.
  func runInNextTurn(_ event: StaticString, _ work: @escaping @MainActor () throws -> Void) {
    guard let subscriber = currentOwner as? Subscriber else { return }
    let instance = subscriber.receiver
    #if DEBUG
    deferred.addHandler(event, subscriber.name)
    #endif
    deferred.inNextTurn {
      #if DEBUG
      self.deferred.beginHandler(event, subscriber.name)
      #endif
      guard let instance, subscriber.receiver === instance else { return }
      do {
        try self.perform(for: subscriber) {
          try self.workObservers.observing(.handler(of: event), subscriber.name, subscriber.image, work)
        }
      } catch {
        subscriber.report(error, of: event, self)
      }
    }
  }

  @usableFromInline func runInTask(
    _ event: StaticString, _ priority: TaskPriority, _ work: @escaping @Sendable () async throws -> Void
  ) {
    guard let subscriber = currentOwner as? Subscriber else { return }
    let observation = workObservers.observation(
      of: .handler(of: event), subscriber.name, subscriber.image, isConcurrent: true)
    let scope = OverrideScope.current
    deferred.inTask(priority) {
      observation?.begin()
      var failure: (any Error)?
      do { try await scope.run(work) } catch { failure = error }
      observation?.end()
      if let failure { await subscriber.report(failure, of: event, self) }
    }
  }
}
