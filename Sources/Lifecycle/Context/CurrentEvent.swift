/// An event in progress.
public struct CurrentEvent: Sendable {
  let eventID: StaticString
  /// The number of the delivery, unique in the manager.
  let number: UInt64
  weak let deliveries: (any EventDeliveries)?

  /// The identifier of the event.
  public var id: String { "\(eventID)" }

  /// Returns a copy of the event's payload.
  ///
  /// - Returns: The payload, or nil if it has another type or all handlers have returned.
  @MainActor public func payload<Payload>(as type: Payload.Type = Payload.self) -> Payload? {
    // `deliveries` has checked the type. The caller of `trigger` keeps the payload in memory until
    // all handlers have returned.
    deliveries?.payload(ofDelivery: number, as: type)?.assumingMemoryBound(to: Payload.self).pointee
  }
}

protocol EventDeliveries: AnyObject, Sendable {
  @MainActor var depth: Int { get }

  /// The owner of the running handler; nil without an event or while the app handles the event.
  @MainActor var currentOwner: (any RegistrationOwner)? { get }

  @MainActor var currentEvent: CurrentEvent? { get }

  /// Returns a delivery's payload; nil if the delivery has ended or the payload has another type.
  @MainActor func payload(ofDelivery number: UInt64, as type: Any.Type) -> UnsafeRawPointer?
}
