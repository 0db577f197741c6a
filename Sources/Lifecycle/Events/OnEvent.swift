import Registry

/// Exports a handler of an event that belongs to no module.
///
/// ```swift
/// #onEvent(.userDidLogIn, priority: 10) { user, context in print(user.name) }
/// ```
///
/// It stands at the top level of a file or in a type that is not generic, and writes a record into the binary; nothing runs
/// until ``ModuleManager/start(launch:)``. From then to the stop the manager calls it on the main actor, among the modules as
/// if it were one of them: of level normal, with its priority, and after others of that priority whose names are smaller; its
/// own is where it stands, `Shop/Greeting.swift:12:1`. Handlers of one file and priority are called in the order in which they
/// stand there. One that throws is reported with its name, and the others are called.
///
/// In the body of a type, a handler that makes one of it wants an initializer written out there, or to stand in an extension: the
/// compiler needs all that is in a body to say which initializers it has by itself.
///
/// - Parameters:
///   - event: The event, `.userDidLogIn` or `Event<User, Void>.userDidLogIn`.
///   - priority: Among what could come next, what has the highest priority does. An integer literal.
///   - once: Whether it is called for the first event only, until the manager is stopped and started again. `true` or `false`.
///   - handler: Can capture nothing local: it runs whenever the event comes.
@freestanding(declaration)
public macro onEvent<Payload, Outcome>(
  _ event: Event<Payload, Outcome>, priority: Int = 0, once: Bool = false,
  handler: @escaping @MainActor (Payload, Context) throws -> Outcome
) = #externalMacro(module: "RegistryMacros", type: "OnEventMacro")

/// Exports a handler of an event without a payload.
///
/// ```swift
/// #onEvent(.appDidWakeUp) { context in … }
/// ```
@freestanding(declaration)
public macro onEvent<Outcome>(
  _ event: Event<Void, Outcome>, priority: Int = 0, once: Bool = false,
  handler: @escaping @MainActor (Context) throws -> Outcome
) = #externalMacro(module: "RegistryMacros", type: "OnEventMacro")

/// Exports a handler that runs off the main actor, in a task of its own for each event.
///
/// ```swift
/// #onEvent(.userDidLogIn, taskPriority: .utility) { user in try await upload(user) }
/// ```
///
/// The task begins when the handler's turn comes, and nothing waits for its end but ``ModuleManager/waitUntilIdle()``: tasks of two
/// events may run side by side, and one may outlive the stop. What it throws is reported as of any handler. The event answers
/// nothing, and its payload is `Sendable`.
///
/// - Parameter taskPriority: The priority of its tasks.
@freestanding(declaration)
public macro onEvent<Payload: Sendable>(
  _ event: Event<Payload, Void>, priority: Int = 0, once: Bool = false, taskPriority: TaskPriority,
  handler: @escaping @Sendable (Payload) async throws -> Void
) = #externalMacro(module: "RegistryMacros", type: "OnEventMacro")

/// Exports a handler that runs off the main actor, of an event without a payload.
///
/// ```swift
/// #onEvent(.appDidWakeUp, taskPriority: .background) { await sync() }
/// ```
@freestanding(declaration)
public macro onEvent(
  _ event: Event<Void, Void>, priority: Int = 0, once: Bool = false, taskPriority: TaskPriority,
  handler: @escaping @Sendable () async throws -> Void
) = #externalMacro(module: "RegistryMacros", type: "OnEventMacro")

/// What the accessor of a handler's record hands over. Not API: what an expansion calls.
///
/// One stored function, so that its layout is the two words that `RecordFormat.md` promises. The function names the event, which
/// may be the main actor's; so the accessor itself runs no code of the user's.
@frozen public struct __HandlerProvider {
  @usableFromInline let subscribe: @MainActor (__EventHandlers) -> Void

  @inlinable init(subscribe: @escaping @MainActor (__EventHandlers) -> Void) {
    self.subscribe = subscribe
  }
}

/// The accessor of a handler. Not API: what an expansion calls.
///
/// - Returns: Whether `type` is null or ``__HandlerProvider``; `out` was touched only then.
public func __provideHandler(
  _ out: UnsafeMutableRawPointer, _ type: UnsafeRawPointer?,
  _ subscribe: @escaping @MainActor (__EventHandlers) -> Void
) -> Bool {
  provide(__HandlerProvider(subscribe: subscribe), out, type)
}
