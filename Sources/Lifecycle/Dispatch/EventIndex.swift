package import Registry
import RegistryC

/// A table of handlers by event, so that the cost of an event depends only on its own handlers.
@MainActor package final class EventIndex {
  /// The handler tables by the address of the identifier's literal. Addresses compare faster than
  /// strings, but the same identifier can have different addresses in different modules. While
  /// modules are being set up or handlers must be collected, the tables are hidden.
  // Unsafe: `deinit` frees the memory, and nothing else runs then. All other uses are on the main
  // actor.
  nonisolated(unsafe) let byAddress: UnsafeMutablePointer<registry_cell>
  package private(set) var byID: [String: EventHandlers] = [:]

  package init() {
    guard let cell = registry_cell_create() else { fatalError("swift-section-registry: cannot allocate a manager") }
    byAddress = cell
  }

  deinit {
    registry_cell_destroy(byAddress)
  }

  /// Returns the handlers of an event. A new event gets the given types.
  func handlers(_ id: StaticString, _ payload: Any.Type, _ outcome: Any.Type) -> EventHandlers {
    let text = "\(id)"
    let handlers = byID[text] ?? EventHandlers(id: id, payload: payload, outcome: outcome)
    byID[text] = handlers
    // A literal of a single Unicode scalar can lack a pointer. Only `byID` contains its event.
    if id.hasPointerRepresentation { _ = registry_publish(byAddress, id.utf8Start, handlers.table) }
    return handlers
  }

  /// Collects the handlers of subscribers.
  ///
  /// - Parameter areAll: A Boolean value that indicates whether these are all subscribers, in
  ///   module order. Otherwise, their handlers are added to the other subscribers' handlers.
  /// - Returns: Diagnostics for mismatches and shared identifiers, and the replaced lists.
  ///   Release the lists together, because destroying objects that they own can trigger events.
  package func collect(
    _ subscribers: [Subscriber], areAll: Bool = true
  ) -> (mismatches: [Diagnostic], replaced: [HandlerList]) {
    var diagnostics: [Diagnostic] = []
    var changed: [EventHandlers] = []
    for subscriber in subscribers {
      for handler in subscriber.handlers {
        let handlers = handlers(handler.id, handler.payload, handler.outcome)
        if !areAll, handlers.collected.isEmpty {
          handlers.collected = handlers.list?.handlers ?? []
          changed.append(handlers)
        }
        if handlers.collected.isEmpty { handlers.adoptTypes(of: handler) }
        guard handlers.matches(handler.payload, handler.outcome) else {
          diagnostics.append(
            subscriber.diagnostic(
              .error, .eventMismatch,
              "its handler of '\(handler.id)' has the type '\(EventHandlers.spell(handler.payload, handler.outcome))',"
                + " but the event has the type '\(handlers.types)'\(handlers.hint(handler.payload, handler.outcome));"
                + " the handler is ignored"))
          continue
        }
        #if DEBUG
        if let own = handler.rule?.initial(), let first = handlers.collected.first,
          let other = first.handler.rule?.initial(), own != other
        {
          diagnostics.append(
            subscriber.diagnostic(
              .warning, .eventMismatch,
              "without an answer, '\(handler.id)' is \(own) in its declaration, but \(other) in the one that"
                + " '\(first.subscriber.name.escapedForDisplay())' uses; declare the event once"))
        }
        #endif
        let index = areAll ? handlers.collected.count : handlers.index(of: handler, subscriber)
        // Compare each handler with the first handler, or a new first handler with all others.
        for other in index == 0 ? handlers.collected[...] : handlers.collected.prefix(1)
        where handler.isOfOtherEvent(than: other.handler) {
          if [(subscriber, handler), other].contains(where: { $0.subscriber.isInModule($0.handler.declaration) }) {
            continue
          }
          diagnostics.append(
            subscriber.diagnostic(
              .warning, .duplicateEvent,
              "the events '\(handler.declaration)', which it handles, and '\(other.handler.declaration)', which"
                + " '\(other.subscriber.name.escapedForDisplay())' handles, have the identifier '\(handler.id)', so"
                + " triggering one calls the handlers of both; give one of them another identifier"))
        }
        handlers.collected.insert((subscriber, handler), at: index)
      }
    }
    var replaced: [HandlerList] = []
    if areAll { for handlers in byID.values { changed.append(handlers) } }
    for handlers in changed { if let list = handlers.publish() { replaced.append(list) } }
    return (diagnostics, replaced)
  }
}
