/// The type that receives an exported handler. Not API: expansions of `#onEvent` use it.
///
/// The methods have the macro's parameters. The manager reads the priority and `once` from the
/// record, as tools do.
@MainActor public final class __EventHandlers {
  /// The handlers that the expansion added, usually exactly one.
  @usableFromInline var handlers: [EventHandler] = []

  init() {}

  @_alwaysEmitIntoClient public func on<Payload, Outcome>(
    _ event: Event<Payload, Outcome>, _ timing: HandlerTiming = .beforeApp, priority: Int = 0, once: Bool = false,
    handler: @escaping @MainActor (Payload, Context) throws -> Outcome
  ) {
    handlers.append(
      EventHandler(of: event, timing) { (_: AnyObject, payload, context) in try handler(payload, context) })
  }

  @_alwaysEmitIntoClient public func on<Outcome>(
    _ event: Event<Void, Outcome>, _ timing: HandlerTiming = .beforeApp, priority: Int = 0, once: Bool = false,
    handler: @escaping @MainActor (Context) throws -> Outcome
  ) {
    handlers.append(EventHandler(of: event, timing) { (_: AnyObject, _, context) in try handler(context) })
  }

  @_alwaysEmitIntoClient public func on<Payload: Sendable>(
    _ event: Event<Payload, Void>, _ timing: HandlerTiming = .beforeApp, priority: Int = 0, once: Bool = false,
    taskPriority: TaskPriority, handler: @escaping @Sendable (Payload) async throws -> Void
  ) {
    handlers.append(EventHandler(of: event, timing, taskPriority: taskPriority, handler))
  }

  @_alwaysEmitIntoClient public func on(
    _ event: Event<Void, Void>, _ timing: HandlerTiming = .beforeApp, priority: Int = 0, once: Bool = false,
    taskPriority: TaskPriority, handler: @escaping @Sendable () async throws -> Void
  ) {
    handlers.append(EventHandler(of: event, timing, taskPriority: taskPriority) { _ in try await handler() })
  }

  @_alwaysEmitIntoClient public func on<Payload, Outcome>(
    _ event: AsyncEvent<Payload, Outcome>, _ timing: HandlerTiming = .beforeApp, priority: Int = 0,
    once: Bool = false, handler: @escaping @MainActor (Payload, Context) async throws -> Outcome
  ) {
    handlers.append(
      EventHandler(of: event, timing) { (_: AnyObject, payload, context) in try await handler(payload, context) })
  }

  @_alwaysEmitIntoClient public func on<Outcome>(
    _ event: AsyncEvent<Void, Outcome>, _ timing: HandlerTiming = .beforeApp, priority: Int = 0,
    once: Bool = false, handler: @escaping @MainActor (Context) async throws -> Outcome
  ) {
    handlers.append(EventHandler(of: event, timing) { (_: AnyObject, _, context) in try await handler(context) })
  }
}
