public import Lifecycle
public import Registry

/// The payload of an event that's identified only by its name.
///
/// Objective-C uses it where Swift would declare an ``Lifecycle/Event`` with its own types.
public struct CustomEvent: Sendable, Hashable {
  /// The name of the event. By convention, it has the form `feature.whatHappened`.
  public var name: String
  /// The parameters of the event, which handlers read by name.
  public var parameters: [String: PropertyValue]

  /// Creates the payload of a custom event.
  public init(_ name: String, parameters: [String: PropertyValue] = [:]) {
    self.name = name
    self.parameters = parameters
  }
}

extension Event where Payload == CustomEvent, Outcome == Void {
  /// An event that's identified by the name in its payload, for communication with Objective-C.
  ///
  /// ```swift
  /// modules.trigger(.custom, CustomEvent("cart.didChange", parameters: ["count": 3]))
  /// ```
  public static var custom: Self { .init("custom.didHappen") }
}
