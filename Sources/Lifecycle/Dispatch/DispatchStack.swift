import RegistryC

/// The part of a manager's dispatch state that every event reads. Like ``EventHandlerTable``, it
/// lives in manually allocated memory.
struct DispatchState {
  /// The generation of loaded images that events are prepared for; zero if the manager reads no
  /// images.
  var generation: UInt64 = 0
  /// The memory for the next event's frame. The frames before it are initialized and belong to the
  /// events in progress, outermost first.
  var next: UnsafeMutablePointer<DispatchFrame>
  let limit: UnsafeMutablePointer<DispatchFrame>
  var isObserved = false
  var lastNumber: UInt64 = 0
  var hasRetainedObjects = false

  @_optimize(speed) @inline(__always)
  mutating func begin(
    _ table: UnsafePointer<EventHandlerTable>, _ first: UnsafePointer<Delivery>, _ payload: UnsafeRawPointer
  ) -> UnsafeMutablePointer<DispatchFrame> {
    let frame = next
    // Frames are trivial, so an earlier frame in this memory needs no deinitialization.
    frame.initialize(
      to: DispatchFrame(table: table, payloadType: table.pointee.payload, payload: payload, current: first))
    next = frame + 1
    return frame
  }
}

struct DispatchFrame {
  let table: UnsafePointer<EventHandlerTable>
  // The type in the table can change during the event.
  let payloadType: Any.Type
  let payload: UnsafeRawPointer
  /// The number that identifies this dispatch, or zero until code queries it.
  var number: UInt64 = 0
  /// The delivery whose handler is running, except during the app's turn.
  // Don't make this optional: the loop in `EventDispatcher.call` would keep the pointer twice.
  var current: UnsafePointer<Delivery>
  var isAppsTurn = false

  /// The subscriber whose handler is running, or nil while the app handles the event.
  var subscriber: Subscriber? { isAppsTurn ? nil : current.pointee.subscriber.takeUnretainedValue() }
}

final class DispatchStack: EventDeliveries {
  // Unsafe: allocated by `init`, freed by `deinit`, and otherwise used only on the main actor.
  nonisolated(unsafe) let state: UnsafeMutablePointer<DispatchState>
  // Unsafe, like `state`.
  nonisolated(unsafe) private let frames: UnsafeMutablePointer<DispatchFrame>

  init() {
    frames = .allocate(capacity: EventDepth.limit)
    state = .allocate(capacity: 1)
    state.initialize(to: DispatchState(next: frames, limit: frames + EventDepth.limit))
  }

  deinit {
    state.deallocate()
    frames.deallocate()
  }

  @MainActor var depth: Int { state.pointee.next - frames }

  @MainActor var frame: UnsafeMutablePointer<DispatchFrame>? { depth == 0 ? nil : state.pointee.next - 1 }

  @MainActor var currentOwner: (any RegistrationOwner)? { frame?.pointee.subscriber }

  @MainActor var currentEvent: CurrentEvent? {
    guard let frame else { return nil }
    if frame.pointee.number == 0 {
      state.pointee.lastNumber += 1
      frame.pointee.number = state.pointee.lastNumber
    }
    return CurrentEvent(eventID: frame.pointee.table.pointee.id, number: frame.pointee.number, deliveries: self)
  }

  @MainActor func payload(ofDelivery number: UInt64, as type: Any.Type) -> UnsafeRawPointer? {
    for index in 0..<depth where frames[index].number == number {
      return frames[index].payloadType == type ? frames[index].payload : nil
    }
    return nil
  }

  /// Calls the handler of a delivery if events can reach its module.
  ///
  /// The method isn't isolated, because closures that isolated code passes to the standard library
  /// check the executor on every call.
  @_optimize(speed) @inline(__always)
  static func call(
    _ delivery: UnsafePointer<Delivery>, _ frame: UnsafeMutablePointer<DispatchFrame>, _ payload: UnsafeRawPointer,
    _ context: Context, _ outcome: UnsafeMutableRawPointer
  ) throws {
    guard let module = delivery.pointee.module.pointee else { return }
    // Set this before the call, because the handler can query the current event.
    frame.pointee.current = delivery
    // The module outlives the call, because removed modules are retained until no event is in
    // progress. The handler list owns the handler.
    try delivery.pointee.handler._withUnsafeGuaranteedRef { handler in
      try module._withUnsafeGuaranteedRef { module in try handler.body(module, payload, context, outcome) }
    }
  }
}
