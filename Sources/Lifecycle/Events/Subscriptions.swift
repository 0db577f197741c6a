/// Where a module says which events it wants.
///
/// Filled by ``Module/subscribe(_:)`` before the module exists. Handlers run on the main actor, modules in
/// their order and handlers of one module in the order written here. A handler that throws is reported with
/// its module and event and does not stop the others.
@MainActor public final class Subscriptions<M: Module> {
  @usableFromInline var handlers: [EventHandler] = []

  init() {}

  /// Calls a closure with the module, the payload and the context.
  ///
  /// - Parameter moment: Before or after the app's own handling, where the host has some; see
  ///   ``ModuleManager/trigger(_:_:host:)``.
  @inlinable public func on<Payload, Outcome>(
    _ event: Event<Payload, Outcome>, _ moment: HandlerTiming = .beforeHost,
    handler: @escaping @MainActor (M, Payload, Context) throws -> Outcome
  ) {
    add(event, moment, handler)
  }

  /// Calls a closure with the module and the context, for an event without a payload.
  @inlinable public func on<Outcome>(
    _ event: Event<Void, Outcome>, _ moment: HandlerTiming = .beforeHost,
    handler: @escaping @MainActor (M, Context) throws -> Outcome
  ) {
    add(event, moment) { module, _, context in try handler(module, context) }
  }

  /// Calls a method of the module: `events.on(.openURL, call: CartModule.open)`.
  // Preconcurrency: in Swift 5 mode a method named like this is not known to be Sendable (SE-0418).
  @preconcurrency @inlinable public func on<Payload, Outcome>(
    _ event: Event<Payload, Outcome>, _ moment: HandlerTiming = .beforeHost,
    call method: @escaping @MainActor (M) -> @MainActor (Payload, Context) throws -> Outcome
  ) {
    add(event, moment) { module, payload, context in try method(module)(payload, context) }
  }

  /// Calls a method of the module that takes the context alone.
  @preconcurrency @inlinable public func on<Outcome>(
    _ event: Event<Void, Outcome>, _ moment: HandlerTiming = .beforeHost,
    call method: @escaping @MainActor (M) -> @MainActor (Context) throws -> Outcome
  ) {
    add(event, moment) { module, _, context in try method(module)(context) }
  }

  @inlinable func add<Payload, Outcome>(
    _ event: Event<Payload, Outcome>, _ moment: HandlerTiming,
    _ handler: @escaping @MainActor (M, Payload, Context) throws -> Outcome
  ) {
    handlers.append(
      EventHandler(id: event.id, payload: Payload.self, outcome: Outcome.self, moment: moment) {
        module, payload, context, outcome in
        // The manager calls a handler for events of its id and types only, with the module it belongs to.
        let answer = try handler(
          unsafeDowncast(module, to: M.self), payload.assumingMemoryBound(to: Payload.self).pointee, context)
        if Outcome.self != Void.self {
          outcome.assumingMemoryBound(to: EventOutcome<Outcome>.self).pointee.add(answer)
        }
      })
  }
}

/// A subscription: what dispatch needs, without type parameters, so that its loop is not generic.
@usableFromInline final class EventHandler {
  let id: StaticString
  let payload: Any.Type
  let outcome: Any.Type
  let moment: HandlerTiming
  let body: @MainActor (AnyObject, UnsafeRawPointer, Context, UnsafeMutableRawPointer) throws -> Void

  @usableFromInline init(
    id: StaticString, payload: Any.Type, outcome: Any.Type, moment: HandlerTiming = .beforeHost,
    body: @escaping @MainActor (AnyObject, UnsafeRawPointer, Context, UnsafeMutableRawPointer) throws -> Void
  ) {
    self.id = id
    self.payload = payload
    self.outcome = outcome
    self.moment = moment
    self.body = body
  }

  /// The same object for code that is on the main actor and does not say so: see ``Dispatch/call(_:_:_:_:)``.
  ///
  /// The two classes are laid out alike, as a function's isolation is in its type and not in its value. Casting the function itself
  /// would be the plain way, and would wrap it in two thunks, which every call goes through.
  nonisolated var unisolated: Unmanaged<UnisolatedHandler> {
    .fromOpaque(Unmanaged.passUnretained(self).toOpaque())
  }
}

/// What an ``EventHandler`` looks like to code without isolation. Never made.
final class UnisolatedHandler {
  let id: StaticString
  let payload: Any.Type
  let outcome: Any.Type
  let moment: HandlerTiming
  let body: (AnyObject, UnsafeRawPointer, Context, UnsafeMutableRawPointer) throws -> Void

  private init(body: @escaping (AnyObject, UnsafeRawPointer, Context, UnsafeMutableRawPointer) throws -> Void) {
    (id, payload, outcome, moment) = ("", Never.self, Never.self, .beforeHost)
    self.body = body
  }
}

/// The outcome of an event under way.
@frozen @usableFromInline struct EventOutcome<Outcome> {
  @usableFromInline var value: Outcome
  @usableFromInline let combine: @Sendable (inout Outcome, Outcome) -> Void

  @inlinable init<Payload>(_ event: Event<Payload, Outcome>) {
    value = event.initial()
    combine = event.combine
  }

  @inlinable mutating func add(_ answer: Outcome) {
    combine(&value, answer)
  }
}
