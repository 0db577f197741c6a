import RegistryC

/// What is under way in a manager. In memory of its own, as ``EventHead`` is.
struct DispatchState {
  /// Whether an event can be delivered without anything to be done before: modules are set up and handlers collected.
  var isReady = false
  /// What the generation of images must be for that; zero if the manager reads none.
  var generation: UInt64 = 0
  /// How many events are under way, each within the one before.
  var depth = 0
  /// The innermost of them.
  var event: UnsafePointer<EventHead>?
  /// Whether the handler under way triggered events too deep.
  var hasRefused = false
  /// Whether something waits for the last event under way to end.
  var hasParked = false
}

/// Owns a manager's ``DispatchState``.
final class Dispatch: Sendable {
  // Unsafe: allocated once, freed with this, and read and written on the main actor only.
  nonisolated(unsafe) let state: UnsafeMutablePointer<DispatchState>

  init() {
    state = .allocate(capacity: 1)
    state.initialize(to: DispatchState())
  }

  deinit {
    state.deallocate()
  }

  /// Calls handlers until all have been called, one throws, or one triggered an event too deep.
  ///
  /// Not isolated, although it runs on the main actor only: within code of the main actor every call of a closure that goes
  /// through the standard library asks which executor this is.
  static func call(
    _ next: inout Int, of deliveries: UnsafeBufferPointer<Delivery>, _ payload: UnsafeRawPointer, _ context: Context,
    _ outcome: UnsafeMutableRawPointer, _ state: UnsafeMutablePointer<DispatchState>
  ) throws {
    while next < deliveries.count {
      let delivery = deliveries[next]
      next += 1
      guard let module = delivery.module.pointee else { continue }
      // The module outlives the call: whoever takes it out parks it until no event is under way. The handler lives as long
      // as the list.
      try delivery.handler._withUnsafeGuaranteedRef { handler in
        try module._withUnsafeGuaranteedRef { module in try handler.body(module, payload, context, outcome) }
      }
      if state.pointee.hasRefused { return }
    }
  }
}
