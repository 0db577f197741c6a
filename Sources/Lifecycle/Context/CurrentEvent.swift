/// The event whose handlers are running.
public struct CurrentEvent: Sendable {
  let eventID: StaticString
  /// The number of the delivery among all deliveries of the manager.
  let number: UInt64
  weak let deliveries: (any EventDeliveries)?

  /// The identifier of the event.
  public var id: String { "\(eventID)" }

  /// Returns a copy of the event's payload.
  ///
  /// - Returns: The payload, or nil if it has another type or if all handlers have returned.
  @MainActor public func payload<Payload>(as type: Payload.Type = Payload.self) -> Payload? {
    // The caller of `trigger` keeps the payload in memory, initialized as the type that the
    // event's handler table names, until all handlers have returned.
    deliveries?.payload(ofDelivery: number, as: type)?.assumingMemoryBound(to: Payload.self).pointee
  }
}

/// The deliveries of events that are in progress.
protocol EventDeliveries: AnyObject, Sendable {
  /// The number of events in progress.
  @MainActor var depth: Int { get }

  /// The owner of the handler that is running, or nil while the app handles the event.
  @MainActor var currentOwner: (any RegistrationOwner)? { get }

  /// The event whose handlers are running, or nil.
  @MainActor var currentEvent: CurrentEvent? { get }

  /// Returns the payload of a delivery.
  ///
  /// - Returns: The payload, or nil if the delivery has ended or the payload has another type.
  @MainActor func payload(ofDelivery number: UInt64, as type: Any.Type) -> UnsafeRawPointer?
}
