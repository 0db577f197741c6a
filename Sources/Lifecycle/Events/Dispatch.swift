import RegistryC

/// What is under way in a manager. In memory of its own, as ``EventHead`` is.
struct DispatchState {
  /// Whether an event can be delivered without anything to be done before: modules are set up and handlers collected.
  var isReady = false
  /// What the generation of images must be for that; zero if the manager reads none.
  var generation: UInt64 = 0
  /// How many events are under way, each within the one before.
  var depth = 0
  /// Whether somebody wants to be told of every handler.
  var isObserved = false
  /// The number of the last event that has one.
  var lastNumber: UInt64 = 0
  /// Whether something waits for the last event under way to end.
  var hasParked = false
}

/// An event under way.
struct DispatchFrame {
  let head: UnsafePointer<EventHead>
  /// What the event carries, of the type in its head.
  let payload: UnsafeRawPointer
  /// Tells it from those before and after it; zero until somebody asks, so that the others need not count.
  var number: UInt64 = 0
  /// Behind the delivery that is under way; what is collected anew meanwhile is for the next event.
  var next: UnsafePointer<Delivery>
  var end: UnsafePointer<Delivery>
  /// Whether it is the host's turn, between the handlers before it and those after it.
  var isHostsTurn = false

  /// The module whose handler is under way; nil in the host's turn.
  var entry: ModuleEntry? { isHostsTurn ? nil : (next - 1).pointee.entry.takeUnretainedValue() }
}

/// Owns what a manager's dispatch reads and writes.
final class Dispatch: Sendable {
  /// Events within events, beyond which there is no end in sight.
  static let depthLimit = 100

  // Unsafe: allocated once, freed with this, and read and written on the main actor only.
  nonisolated(unsafe) let state: UnsafeMutablePointer<DispatchState>
  /// As many as can be under way; so many as are, are in order.
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

  /// The innermost event under way; nil if there is none.
  var frame: UnsafeMutablePointer<DispatchFrame>? {
    state.pointee.depth == 0 ? nil : frames + (state.pointee.depth - 1)
  }

  /// The innermost event under way and its number.
  var numberedFrame: (frame: UnsafeMutablePointer<DispatchFrame>, number: UInt64)? {
    guard let frame else { return nil }
    if frame.pointee.number == 0 {
      state.pointee.lastNumber += 1
      frame.pointee.number = state.pointee.lastNumber
    }
    return (frame, frame.pointee.number)
  }

  /// The event with a number; nil if it is over.
  func frame(number: UInt64) -> UnsafeMutablePointer<DispatchFrame>? {
    for place in 0..<state.pointee.depth where frames[place].number == number { return frames + place }
    return nil
  }

  /// Begins an event, which ``end()`` must follow.
  func begin(
    _ head: UnsafePointer<EventHead>, _ first: UnsafePointer<Delivery>, _ payload: UnsafeRawPointer
  ) -> UnsafeMutablePointer<DispatchFrame> {
    let frame = frames + state.pointee.depth
    // Trivial, so there is nothing of the last one to be let go of.
    frame.initialize(
      to: DispatchFrame(
        head: head, payload: payload, next: first, end: first + head.pointee.deliveries.count))
    state.pointee.depth += 1
    return frame
  }

  func end() { state.pointee.depth -= 1 }

  /// Calls handlers until all have been called, or one throws.
  ///
  /// Not isolated, although it runs on the main actor only: within code of the main actor every call of a closure that goes
  /// through the standard library asks which executor this is.
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
      // Before the call: who asks whose handler this is asks in the course of it.
      frame.pointee.next = next
      // The module outlives the call: whoever takes it out parks it until no event is under way. The handler lives as long
      // as the list.
      try delivery.pointee.handler._withUnsafeGuaranteedRef { handler in
        try module._withUnsafeGuaranteedRef { module in try handler.body(module, payload, context, outcome) }
      }
    }
    frame.pointee.next = end
  }
}
