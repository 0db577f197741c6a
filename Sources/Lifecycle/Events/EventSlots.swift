import Registry
import RegistryC

/// A subscription and the module it belongs to.
struct BoundHandler {
  let entry: ModuleEntry
  let handler: EventHandler
}

/// What the dispatch of one handler reads.
struct Delivery {
  /// The module as long as events reach it; see ``ModuleEntry``.
  let module: UnsafePointer<Unmanaged<AnyObject>?>
  let handler: Unmanaged<UnisolatedHandler>
  let entry: Unmanaged<ModuleEntry>
}

/// The handlers of one event, as they were collected; immutable.
final class HandlerList {
  /// They keep alive what the deliveries point to.
  let handlers: [BoundHandler]
  let deliveries: UnsafeBufferPointer<Delivery>

  init(_ handlers: [BoundHandler]) {
    self.handlers = handlers
    let memory = UnsafeMutableBufferPointer<Delivery>.allocate(capacity: handlers.count)
    _ = memory.initialize(
      from: handlers.map { bound in
        Delivery(
          module: UnsafePointer(bound.entry.reachable), handler: bound.handler.unisolated,
          entry: .passUnretained(bound.entry))
      })
    deliveries = UnsafeBufferPointer(memory)
  }

  deinit {
    deliveries.deallocate()
  }
}

/// What the dispatch of an event reads first. In memory of its own: Swift guards every access to a class' variable, which
/// takes longer than all the rest.
@usableFromInline struct EventHead {
  let id: StaticString
  var payload: Any.Type
  var outcome: Any.Type
  var deliveries: UnsafeBufferPointer<Delivery>
  /// How many of them come before the host.
  var before: Int
  /// Whether one of them may be a module's that waits for its first event.
  var wakes: Bool
  /// Keeps the deliveries alive.
  var list: Unmanaged<HandlerList>?
}

/// Who gets one event, in order.
@MainActor final class EventSlot {
  /// Lives as long as the slot, and the slot as long as its manager.
  // Unsafe: freed by the deinit, which nobody reads beside; else of the main actor.
  nonisolated(unsafe) let head: UnsafeMutablePointer<EventHead>
  /// What is being collected.
  var handlers: [BoundHandler] = []

  init(id: StaticString, payload: Any.Type, outcome: Any.Type) {
    head = .allocate(capacity: 1)
    head.initialize(
      to: EventHead(
        id: id, payload: payload, outcome: outcome, deliveries: UnsafeBufferPointer(start: nil, count: 0), before: 0,
        wakes: false, list: nil))
  }

  deinit {
    head.pointee.list?.release()
    // The head consists of trivial values, so there is nothing to deinitialize.
    head.deallocate()
  }

  func carries(_ payload: Any.Type, _ outcome: Any.Type) -> Bool {
    head.pointee.payload == payload && head.pointee.outcome == outcome
  }

  /// Subscribers say what an event's types are, not whoever triggered it first.
  func adopt(_ handler: EventHandler) {
    head.pointee.payload = handler.payload
    head.pointee.outcome = handler.outcome
  }

  /// What was published last.
  var list: HandlerList? { head.pointee.list?.takeUnretainedValue() }

  /// Makes a list of what was collected, or of nothing.
  ///
  /// - Returns: The old list, which an event under way may go by.
  func publish() -> HandlerList? {
    let after = handlers.filter { $0.handler.moment == .afterHost }
    head.pointee.before = handlers.count - after.count
    if !after.isEmpty { handlers = handlers.filter { $0.handler.moment != .afterHost } + after }
    head.pointee.wakes = handlers.contains { $0.entry.state == .dormant }
    let list = handlers.isEmpty ? nil : HandlerList(handlers)
    handlers = []
    let old = head.pointee.list?.takeRetainedValue()
    head.pointee.list = list.map { Unmanaged.passRetained($0) }
    head.pointee.deliveries = list?.deliveries ?? UnsafeBufferPointer(start: nil, count: 0)
    return old
  }

  /// What to say of types that are others and spelled the same.
  func hint(_ payload: Any.Type, _ outcome: Any.Type) -> String {
    guard Self.spell(payload, outcome) == types else { return "" }
    return " of the same names: two images have a copy of them each, put them into a dynamic product of their own"
  }

  var types: String { Self.spell(head.pointee.payload, head.pointee.outcome) }

  /// With their modules: two types may be called `User`.
  static func spell(_ payload: Any.Type, _ outcome: Any.Type) -> String {
    "\(String(reflecting: payload)) → \(String(reflecting: outcome))"
  }
}

/// The handlers of every event. An event costs its own handlers, not all modules.
@MainActor final class EventSlots {
  /// Slots by the address of an id's literal, which tells it faster than its text. Literals of one id in several modules have
  /// several addresses.
  // Unsafe: freed by the deinit, which nobody reads beside; else of the main actor.
  nonisolated(unsafe) let byAddress: UnsafeMutablePointer<registry_cell>
  private var byID: [String: EventSlot] = [:]

  init() {
    guard let cell = registry_cell_create() else { fatalError("swift-section-registry: no memory for a manager") }
    byAddress = cell
  }

  deinit {
    registry_cell_destroy(byAddress)
  }

  /// The slot of an event; made if there is none, with the given types.
  func slot(_ id: StaticString, _ payload: Any.Type, _ outcome: Any.Type) -> EventSlot {
    let text = "\(id)"
    let slot = byID[text] ?? EventSlot(id: id, payload: payload, outcome: outcome)
    byID[text] = slot
    // A literal of a single scalar is stored without a pointer, and found by its text every time.
    if id.hasPointerRepresentation { _ = registry_publish(byAddress, id.utf8Start, slot.head) }
    return slot
  }

  /// Collects the handlers of modules in order.
  ///
  /// - Returns: Subscriptions that do not fit the types of their event; and the lists that are replaced, to be let go of when
  ///   all are, as what goes with them may trigger events.
  func collect(_ modules: [ModuleEntry]) -> (mismatches: [Diagnostic], old: [HandlerList]) {
    var diagnostics: [Diagnostic] = []
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
    var old: [HandlerList] = []
    for slot in byID.values { if let list = slot.publish() { old.append(list) } }
    return (diagnostics, old)
  }
}
