import Registry

/// A subscription and the module it belongs to.
struct BoundHandler {
  let entry: ModuleEntry
  let handler: EventHandler
}

/// Who gets one event, in order.
@MainActor final class EventSlot {
  let id: StaticString
  private(set) var payload: Any.Type
  private(set) var outcome: Any.Type
  var handlers: [BoundHandler] = []

  init(id: StaticString, payload: Any.Type, outcome: Any.Type) {
    self.id = id
    self.payload = payload
    self.outcome = outcome
  }

  func carries(_ payload: Any.Type, _ outcome: Any.Type) -> Bool {
    self.payload == payload && self.outcome == outcome
  }

  /// Subscribers say what an event's types are, not whoever triggered it first.
  func adopt(_ handler: EventHandler) {
    payload = handler.payload
    outcome = handler.outcome
  }

  /// What to say of types that are others and spelled the same.
  func hint(_ payload: Any.Type, _ outcome: Any.Type) -> String {
    guard Self.spell(payload, outcome) == types else { return "" }
    return " of the same names: two images have a copy of them each, put them into a dynamic product of their own"
  }

  var types: String { Self.spell(payload, outcome) }

  /// With their modules: two types may be called `User`.
  static func spell(_ payload: Any.Type, _ outcome: Any.Type) -> String {
    "\(String(reflecting: payload)) → \(String(reflecting: outcome))"
  }
}

/// The handlers of every event. An event costs its own handlers, not all modules.
@MainActor struct EventSlots {
  /// False once a module came or went: the handlers are collected anew before the next event.
  var isCurrent = false
  private var byID: [String: EventSlot] = [:]
  /// The address of an id's literal tells it faster than its text. Literals of one id in several modules
  /// have several addresses.
  private var byAddress: [UnsafePointer<UInt8>: EventSlot] = [:]

  /// The slot of an event; made if there is none, with the given types.
  mutating func slot(_ id: StaticString, _ payload: Any.Type, _ outcome: Any.Type) -> EventSlot {
    // A literal of a single scalar is stored without a pointer.
    guard id.hasPointerRepresentation else { return slot(named: id, payload, outcome) }
    if let slot = byAddress[id.utf8Start] { return slot }
    let slot = slot(named: id, payload, outcome)
    byAddress[id.utf8Start] = slot
    return slot
  }

  private mutating func slot(named id: StaticString, _ payload: Any.Type, _ outcome: Any.Type) -> EventSlot {
    let text = "\(id)"
    if let slot = byID[text] { return slot }
    let slot = EventSlot(id: id, payload: payload, outcome: outcome)
    byID[text] = slot
    return slot
  }

  /// Collects the handlers of modules in order.
  ///
  /// - Returns: Subscriptions that do not fit the types of their event.
  mutating func collect(_ modules: [ModuleEntry]) -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    for slot in byID.values { slot.handlers = [] }
    for entry in modules {
      for handler in entry.handlers {
        let slot = slot(handler.id, handler.payload, handler.outcome)
        if slot.handlers.isEmpty { slot.adopt(handler) }
        guard slot.carries(handler.payload, handler.outcome) else {
          diagnostics.append(
            entry.diagnostic(
              .error, .eventMismatch,
              "it subscribes to \(handler.id) as \(EventSlot.spell(handler.payload, handler.outcome)), and the event is"
                + " \(slot.types)\(slot.hint(handler.payload, handler.outcome)); this handler is left out"))
          continue
        }
        slot.handlers.append(BoundHandler(entry: entry, handler: handler))
      }
    }
    isCurrent = true
    return diagnostics
  }
}
