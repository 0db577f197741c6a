public import Lifecycle
public import Registry

/// The payload of an event that only its name identifies.
///
/// Objective-C uses it where Swift declares an ``Lifecycle/Event`` with its own types.
public struct CustomEvent: Sendable, Hashable {
  /// The name, by convention `feature.whatHappened`.
  public var name: String
  public var parameters: [String: PropertyValue]

  public init(_ name: String, parameters: [String: PropertyValue] = [:]) {
    self.name = name
    self.parameters = parameters
  }
}

extension Event where Payload == CustomEvent, Outcome == Void {
  /// An event that is identified by the name in its payload. Code in Swift alone does not need it.
  ///
  /// ```swift
  /// modules.trigger(.custom, CustomEvent("cart.didChange", parameters: ["count": 3]))
  /// ```
  public static var custom: Self { .init("custom.didHappen") }
}
