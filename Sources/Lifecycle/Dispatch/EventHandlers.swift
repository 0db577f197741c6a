import Registry

package typealias BoundHandler = (subscriber: Subscriber, handler: EventHandler)

struct Delivery {
  /// The address of the module reference, or of nil while events can't reach the module; see
  /// ``Subscriber/reachable``.
  let module: UnsafePointer<Unmanaged<AnyObject>?>
  let handler: Unmanaged<EventHandler>
  let subscriber: Unmanaged<Subscriber>

  /// Not isolated, because the closure would check the executor; see
  /// ``DispatchStack/call(_:_:_:_:_:)``.
  var work: EventHandler.Work { handler._withUnsafeGuaranteedRef { $0.work } }
}

/// The deliveries of an event, in memory that a ``HandlerList`` owns.
struct Deliveries {
  let first: UnsafePointer<Delivery>
  let afterApp: UnsafePointer<Delivery>
  let end: UnsafePointer<Delivery>
}

package final class HandlerList {
  package let handlers: [BoundHandler]
  let deliveries: Deliveries

  init(_ collected: [BoundHandler]) {
    let before = collected.filter { $0.handler.timing != .afterApp }
    handlers = before + collected.filter { $0.handler.timing == .afterApp }
    let memory = UnsafeMutableBufferPointer<Delivery>.allocate(capacity: handlers.count)
    _ = memory.initialize(
      from: handlers.map { bound in
        Delivery(
          module: UnsafePointer(bound.subscriber.reachable), handler: .passUnretained(bound.handler),
          subscriber: .passUnretained(bound.subscriber))
      })
    let first = UnsafePointer(memory.baseAddress.unsafelyUnwrapped)
    deliveries = Deliveries(first: first, afterApp: first + before.count, end: first + handlers.count)
  }

  deinit {
    deliveries.first.deallocate()
  }
}

/// The part of an event's handlers that dispatch reads on the fast path.
///
/// Instances live in manually allocated memory. Swift checks exclusivity on every access to a
/// stored property of a class, which would cost more than the rest of a dispatch.
@usableFromInline struct EventHandlerTable {
  let id: StaticString
  var payload: Any.Type
  var outcome: Any.Type
  /// The deliveries to the handlers, or nil without handlers.
  var deliveries: Deliveries?
  /// A Boolean value that indicates whether a handler may belong to an inactive module.
  var activatesModules: Bool
}

@MainActor package final class EventHandlers {
  /// The table, which this object owns. The event index retains this object.
  // Unsafe: `deinit` frees the memory, and nothing else runs then. All other uses are on the main
  // actor.
  nonisolated(unsafe) let table: UnsafeMutablePointer<EventHandlerTable>
  /// The names of subscribers that missed the event because they were not set up yet.
  private(set) var missing: Set<String> = []
  private(set) var wasHandled = false
  #if DEBUG
  /// A Boolean value that indicates whether the event was triggered before all modules were set up.
  private var wasEarly = false
  /// The names of handlers that code added after the event in the same run.
  package private(set) var late: Set<String> = []
  #endif
  /// The published handlers, which own the memory of the table's deliveries; nil without handlers.
  package private(set) var list: HandlerList?
  var collected: [BoundHandler] = []

  init(id: StaticString, payload: Any.Type, outcome: Any.Type) {
    table = .allocate(capacity: 1)
    table.initialize(
      to: EventHandlerTable(
        id: id, payload: payload, outcome: outcome, deliveries: nil, activatesModules: false))
  }

  deinit {
    // The table consists of trivial values, which need no deinitialization.
    table.deallocate()
  }

  func matches(_ payload: Any.Type, _ outcome: Any.Type) -> Bool {
    table.pointee.payload == payload && table.pointee.outcome == outcome
  }

  /// Sets the event's types to a handler's types, which take precedence over a trigger's types.
  func adoptTypes(of handler: EventHandler) {
    table.pointee.payload = handler.payload
    table.pointee.outcome = handler.outcome
  }

  /// Returns the index at which to insert a handler. The collected handlers are sorted by timing
  /// and by their subscribers' positions.
  func index(of handler: EventHandler, _ subscriber: Subscriber) -> Int {
    var (low, high) = (0, collected.count)
    while low < high {
      Subscriber.steps += 1
      let middle = (low + high) / 2
      let other = collected[middle]
      let precedes =
        other.handler.timing == handler.timing
        ? other.subscriber.position <= subscriber.position : other.handler.timing == .beforeApp
      if precedes { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Replaces the published handlers with the collected ones.
  ///
  /// - Returns: The previous list. Dispatches in progress may use it, so the caller must retain it
  ///   until they end.
  func publish() -> HandlerList? {
    table.pointee.activatesModules = collected.contains { $0.subscriber.isInactive }
    let old = list
    list = collected.isEmpty ? nil : HandlerList(collected)
    if list != nil { wasHandled = true }
    collected = []
    table.pointee.deliveries = list?.deliveries
    return old
  }

  func startAgain() {
    missing = []
    #if DEBUG
    (wasEarly, late) = (false, [])
    #endif
  }

  #if DEBUG
  func recordLate(_ name: String, isSettingUp: Bool, isPast: Bool) {
    // Limit the set, because a view can add a handler each time it appears.
    if wasEarly && isSettingUp || isPast, late.count < 100 { late.add(name) }
  }
  #endif

  func recordMissing() {
    #if DEBUG
    wasEarly = true
    #endif
    // Limit the set, because modules can be added for each session of a server.
    for (subscriber, _) in list?.handlers ?? [] where subscriber.receiver == nil && missing.count < 100 {
      missing.add(subscriber.name)
    }
  }

  // MARK: - Messages

  /// Returns a hint about a difference between two declarations of the event, or an empty string.
  func hint(_ payload: Any.Type, _ outcome: Any.Type) -> String {
    #if DEBUG
    if payload is OpenQuestion.Type != (table.pointee.payload is OpenQuestion.Type) {
      return "; one is declared as an 'AsyncEvent' and the other as an 'Event', so declare both the same way"
    }
    #endif
    guard Self.spell(payload, outcome) == types else { return "" }
    return "; two images contain copies of these types, so move the types to a dynamic product that both link"
  }

  package var types: String { Self.spell(table.pointee.payload, table.pointee.outcome) }

  /// Returns the names of types with their modules, because types of two modules can share a name.
  static func spell(_ payload: Any.Type, _ outcome: Any.Type) -> String {
    "\(String(reflecting: payload)) → \(String(reflecting: outcome))"
  }
}
