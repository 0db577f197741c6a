import RegistryC

/// The state of a manager's dispatch that every event reads, in manually allocated memory like
/// ``EventHandlerTable``.
struct DispatchState {
  /// The generation of loaded images for which events need no preparation; zero if the manager
  /// reads no images.
  var generation: UInt64 = 0
  /// The number of events in progress, each triggered by a handler of the previous one.
  var depth = 0
  var isObserved = false
  var lastNumber: UInt64 = 0
  var hasRetainedObjects = false
}

struct DispatchFrame {
  let table: UnsafePointer<EventHandlerTable>
  /// The event's payload, of the type in the table.
  let payload: UnsafeRawPointer
  /// The number of the delivery, or zero until it is queried. Most deliveries need none.
  var number: UInt64 = 0
  /// The position after the running handler. Handlers collected during the call belong to the next
  /// event.
  var next: UnsafePointer<Delivery>
  var end: UnsafePointer<Delivery>
  var isHostsTurn = false

  /// The subscriber whose handler is running, or nil while the app handles the event.
  var subscriber: Subscriber? { isHostsTurn ? nil : (next - 1).pointee.subscriber.takeUnretainedValue() }
}

final class DispatchStack: EventDeliveries {
  /// The number of nested events after which triggering counts as endless.
  static let depthLimit = 100

  // Unsafe: allocated by `init`, freed by `deinit`, and otherwise used only on the main actor.
  nonisolated(unsafe) let state: UnsafeMutablePointer<DispatchState>
  /// The memory for the frames. The first `depth` frames are initialized.
  // Unsafe, like `state`.
  nonisolated(unsafe) private let frames: UnsafeMutablePointer<DispatchFrame>

  init() {
    state = .allocate(capacity: 1)
    state.initialize(to: DispatchState())
    frames = .allocate(capacity: Self.depthLimit)
  }

  deinit {
    state.deallocate()
    frames.deallocate()
  }

  var frame: UnsafeMutablePointer<DispatchFrame>? {
    state.pointee.depth == 0 ? nil : frames + (state.pointee.depth - 1)
  }

  @MainActor var depth: Int { state.pointee.depth }

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
    for index in 0..<state.pointee.depth where frames[index].number == number {
      return frames[index].table.pointee.payload == type ? frames[index].payload : nil
    }
    return nil
  }

  @_optimize(speed)
  func begin(
    _ table: UnsafePointer<EventHandlerTable>, _ first: UnsafePointer<Delivery>, _ payload: UnsafeRawPointer
  ) -> UnsafeMutablePointer<DispatchFrame> {
    let frame = frames + state.pointee.depth
    // The frame is trivial, so the previous frame needs no deinitialization.
    frame.initialize(
      to: DispatchFrame(
        table: table, payload: payload, next: first, end: first + table.pointee.deliveries.count))
    state.pointee.depth &+= 1
    return frame
  }

  func end() { state.pointee.depth &-= 1 }

  /// Calls the handlers of a delivery until all have returned or one throws.
  ///
  /// The method isn't isolated, because every call of a closure that isolated code passes to the
  /// standard library checks the executor.
  @_optimize(speed) @inline(__always)
  static func call(
    _ frame: UnsafeMutablePointer<DispatchFrame>, _ payload: UnsafeRawPointer, _ context: Context,
    _ outcome: UnsafeMutableRawPointer
  ) throws {
    var next = frame.pointee.next
    let end = frame.pointee.end
    while next != end {
      let delivery = next
      next += 1
      guard let module = delivery.pointee.module.pointee else { continue }
      // Publish the position before the call, because the handler can query the current event.
      frame.pointee.next = next
      // The module outlives the call, because removed modules are retained until no event is in
      // progress. The list owns the handler.
      try delivery.pointee.handler._withUnsafeGuaranteedRef { handler in
        try module._withUnsafeGuaranteedRef { module in try handler.body(module, payload, context, outcome) }
      }
    }
    frame.pointee.next = end
  }
}
