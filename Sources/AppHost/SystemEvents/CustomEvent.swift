public import Lifecycle
public import Registry

/// An event that is told apart by its name alone: what Objective-C has in place of an ``Lifecycle/Event`` with types of its own.
public struct CustomEvent: Sendable, Hashable {
  /// By convention `feature.whatHappened`.
  public var name: String
  public var parameters: [String: PropertyValue]

  public init(_ name: String, parameters: [String: PropertyValue] = [:]) {
    self.name = name
    self.parameters = parameters
  }
}

extension Event where Payload == CustomEvent, Outcome == Void {
  /// Something happened that has a name and no event of its own; modules look at the name. Code in Swift alone has no need of it.
  ///
  /// ```swift
  /// modules.trigger(.custom, CustomEvent("cart.didChange", parameters: ["count": 3]))
  /// ```
  public static var custom: Self { .init("custom.didHappen") }
}
