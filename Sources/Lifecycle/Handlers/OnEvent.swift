import Registry

/// Exports an event handler that belongs to no module.
///
/// ```swift
/// #onEvent(.userDidLogIn, priority: 10) { user, context in print(user.name) }
/// ```
///
/// Write the macro at the top level of a file or in a type that is not generic. The macro writes a
/// record into the binary. The handler doesn't run before the manager starts, but the manager can
/// evaluate `event` earlier. Once started, the manager calls the handler on the main actor in
/// module order, as if the handler were a module of the level `normal` with the given priority.
/// The handler's name is its source location, such as `Shop/Greeting.swift:12:1`. Handlers in one
/// file with the same priority run in source order. A thrown error is reported with the handler's
/// name, and the other handlers run.
///
/// If a handler in a type's body creates an instance of the type, declare an initializer or move
/// the handler to an extension: the compiler expands a body's macros before adding initializers.
///
/// - Parameters:
///   - event: The event, such as `.userDidLogIn` or `Event<User, Void>.userDidLogIn`.
///   - timing: The time at which the handler runs relative to the app's own handling.
///   - priority: The priority among modules and handlers, as an integer literal; the highest runs
///     first.
///   - once: A Boolean literal that indicates whether the handler runs only for the first
///     occurrence of the event after each start.
///   - group: The name of the handler's group, as a string literal. Only managers that read the
///     group (`RecordSource.group(_:)`) call the handler. By default, the handler has no group.
///   - handler: A closure. It can't capture local variables.
@freestanding(declaration)
public macro onEvent<Payload, Outcome>(
  _ event: Event<Payload, Outcome>, _ timing: HandlerTiming = .beforeApp, priority: Int = 0, once: Bool = false,
  group: String? = nil, handler: @escaping @MainActor (Payload, Context) throws -> Outcome
) = #externalMacro(module: "RegistryMacros", type: "OnEventMacro")

/// Exports a handler of an event without a payload.
///
/// ```swift
/// #onEvent(.appDidWakeUp) { context in … }
/// ```
@freestanding(declaration)
public macro onEvent<Outcome>(
  _ event: Event<Void, Outcome>, _ timing: HandlerTiming = .beforeApp, priority: Int = 0, once: Bool = false,
  group: String? = nil, handler: @escaping @MainActor (Context) throws -> Outcome
) = #externalMacro(module: "RegistryMacros", type: "OnEventMacro")

/// Exports a handler that runs off the main actor, in one task for each occurrence of the event.
///
/// ```swift
/// #onEvent(.userDidLogIn, taskPriority: .utility) { user in try await upload(user) }
/// #onEvent(.appDidWakeUp, taskPriority: .background) { await sync() }
/// ```
///
/// The manager creates the task instead of calling the handler. Only
/// ``ModuleManager/waitUntilIdle()`` waits for the task: the tasks of two occurrences can run
/// concurrently, and a task can outlive ``ModuleManager/stop()``. The event must have no outcome,
/// and its payload must be `Sendable`.
///
/// - Parameter taskPriority: The priority of the tasks.
@freestanding(declaration)
public macro onEvent<Payload: Sendable>(
  _ event: Event<Payload, Void>, _ timing: HandlerTiming = .beforeApp, priority: Int = 0, once: Bool = false,
  taskPriority: TaskPriority, group: String? = nil, handler: @escaping @Sendable (Payload) async throws -> Void
) = #externalMacro(module: "RegistryMacros", type: "OnEventMacro")

/// Exports a handler of an asynchronous event.
///
/// ```swift
/// #onEvent(.didReceiveRemoteNotification) { notification, context in
///   try await fetch(notification)
/// }
/// ```
///
/// The handler runs in a task on the main actor, like a handler of
/// ``Subscriptions/on(_:_:handler:)-(AsyncEvent<Payload,Outcome>,_,_)``.
@freestanding(declaration)
public macro onEvent<Payload, Outcome>(
  _ event: AsyncEvent<Payload, Outcome>, _ timing: HandlerTiming = .beforeApp, priority: Int = 0,
  once: Bool = false, group: String? = nil, handler: @escaping @MainActor (Payload, Context) async throws -> Outcome
) = #externalMacro(module: "RegistryMacros", type: "OnEventMacro")

/// Exports a handler of an asynchronous event without a payload.
@freestanding(declaration)
public macro onEvent<Outcome>(
  _ event: AsyncEvent<Void, Outcome>, _ timing: HandlerTiming = .beforeApp, priority: Int = 0,
  once: Bool = false, group: String? = nil, handler: @escaping @MainActor (Context) async throws -> Outcome
) = #externalMacro(module: "RegistryMacros", type: "OnEventMacro")

/// Selected when the handler of an event is asynchronous. See EventSubscribing.swift.
// Passing an event to the optional parameter requires a conversion, so the type checker prefers the
// macros above for a handler that never awaits.
@freestanding(declaration)
@available(
  *, unavailable,
  message: """
    a handler of an 'Event' cannot wait, because 'trigger' returns its answer; pass 'taskPriority:' if it has no \
    outcome, or declare the event as an 'AsyncEvent'; to finish work in the background, handle \
    AppHost's '.finishInBackground'; the system suspends tasks [asynchronous-handler]
    """
)
public macro onEvent<Payload, Outcome>(
  _ event: Event<Payload, Outcome>?, _ timing: HandlerTiming = .beforeApp, priority: Int = 0, once: Bool = false,
  group: String? = nil, handler: @escaping @MainActor (Payload, Context) async throws -> Outcome
) = #externalMacro(module: "RegistryMacros", type: "OnEventMacro")

/// Selected when the handler of an event without a payload is asynchronous.
@freestanding(declaration)
@available(
  *, unavailable,
  message: """
    a handler of an 'Event' cannot wait, because 'trigger' returns its answer; pass 'taskPriority:' if it has no \
    outcome, or declare the event as an 'AsyncEvent'; to finish work in the background, handle \
    AppHost's '.finishInBackground'; the system suspends tasks [asynchronous-handler]
    """
)
public macro onEvent<Outcome>(
  _ event: Event<Void, Outcome>?, _ timing: HandlerTiming = .beforeApp, priority: Int = 0, once: Bool = false,
  group: String? = nil, handler: @escaping @MainActor (Context) async throws -> Outcome
) = #externalMacro(module: "RegistryMacros", type: "OnEventMacro")

/// The value that a handler record's accessor returns. Not API: expansions use it.
///
/// It has one stored function, so its layout is the two words that `RecordFormat.md` specifies. The
/// accessor runs no client code. The function evaluates the expression that names the event,
/// because the expression may be isolated to the main actor.
@frozen public struct __HandlerProvider {
  @usableFromInline let subscribe: @MainActor (__EventHandlers) -> Void

  @inlinable init(subscribe: @escaping @MainActor (__EventHandlers) -> Void) {
    self.subscribe = subscribe
  }
}

/// Implements the accessor of a handler's record. Not API: expansions call it.
///
/// - Returns: `true` if `type` is null or identifies ``__HandlerProvider``. Otherwise, the function
///   doesn't write to `out`.
public func __provideHandler(
  _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?,
  _ subscribe: @escaping @MainActor (__EventHandlers) -> Void
) -> Bool {
  provide(__HandlerProvider(subscribe: subscribe), out, type)
}
