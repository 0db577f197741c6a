/// The events that a module handles.
///
/// ``Module/subscribe(_:)`` adds the handlers before the module exists. Handlers run on the main
/// actor, in the order of modules and, within a module, in the order in which they were added. An
/// error that a handler throws is reported with its module and event, and the other handlers run.
@MainActor public final class Subscriptions<M: Module> {
  @usableFromInline var handlers: [EventHandler] = []

  init() {}

  /// Adds a closure that receives the module, the payload, and the context.
  ///
  /// - Parameters:
  ///   - event: The event to handle.
  ///   - timing: The time at which the handler runs relative to the app's own handling.
  ///   - handler: The closure, whose result is combined with those of other handlers.
  @inlinable public func on<Payload, Outcome>(
    _ event: Event<Payload, Outcome>, _ timing: HandlerTiming = .beforeHost,
    handler: @escaping @MainActor (M, Payload, Context) throws -> Outcome
  ) {
    handlers.append(EventHandler(of: event, timing, handler))
  }

  /// Adds a closure that receives the module and the context, for an event without a payload.
  @inlinable public func on<Outcome>(
    _ event: Event<Void, Outcome>, _ timing: HandlerTiming = .beforeHost,
    handler: @escaping @MainActor (M, Context) throws -> Outcome
  ) {
    handlers.append(EventHandler(of: event, timing) { module, _, context in try handler(module, context) })
  }

  /// Adds a method of the module.
  ///
  /// ```swift
  /// events.on(.openURL, call: CartModule.open)
  /// ```
  // Preconcurrency because in Swift 5 mode a method that is passed by its name is not known to be
  // Sendable (SE-0418). This hides no data race: a module is isolated to the main actor, so its
  // methods capture nothing that other code can change at the same time.
  @preconcurrency @inlinable public func on<Payload, Outcome>(
    _ event: Event<Payload, Outcome>, _ timing: HandlerTiming = .beforeHost,
    call method: @escaping @MainActor (M) -> @MainActor (Payload, Context) throws -> Outcome
  ) {
    handlers.append(
      EventHandler(of: event, timing) { module, payload, context in try method(module)(payload, context) })
  }

  /// Adds a method of the module that receives only the context.
  @preconcurrency @inlinable public func on<Outcome>(
    _ event: Event<Void, Outcome>, _ timing: HandlerTiming = .beforeHost,
    call method: @escaping @MainActor (M) -> @MainActor (Context) throws -> Outcome
  ) {
    handlers.append(EventHandler(of: event, timing) { module, _, context in try method(module)(context) })
  }
}
