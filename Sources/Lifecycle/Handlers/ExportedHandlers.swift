public import Registry

/// The handlers of a module, or an exported handler. Not API: expansions of `#onEvent` use it.
///
/// The manager, like the tools, reads the priority and `once` from the record.
@MainActor public final class __EventHandlers: EventSubscribing {
  // Unchecked: only the main actor uses the property, and a change runs no other code.
  @exclusivity(unchecked) @usableFromInline var handlers: [EventHandler] = []

  init() {}

  public func __add(
    _ handler: EventHandler, _ priority: Int, _ once: Bool, _ fileID: StaticString, _ line: UInt, _ column: UInt
  ) -> RegistrationToken {
    handlers.append(handler)
    return RegistrationToken { false }
  }
}
