/// The event that is being delivered.
public struct CurrentEvent: Sendable, CustomStringConvertible {
  let eventID: StaticString
  let dispatch: Dispatch
  /// Which one it is, of all that the manager ever delivered.
  let number: UInt64

  /// The event's id.
  public var id: String { "\(eventID)" }

  public var description: String { id }

  /// A copy of what the event carries.
  ///
  /// - Returns: Nil if that is of another type, or if the event is over.
  @MainActor public func payload<Payload>(as type: Payload.Type = Payload.self) -> Payload? {
    guard let frame = dispatch.frame(number: number), frame.pointee.head.pointee.payload == type else { return nil }
    // Whoever triggers an event keeps its payload where it is, of the type in its head, until the event is over.
    return frame.pointee.payload.assumingMemoryBound(to: Payload.self).pointee
  }
}
