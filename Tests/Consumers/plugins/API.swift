public import Lifecycle

public protocol Speaker: Sendable {
  func speak() -> String
  /// The types of the library as its image sees them: the same ones everywhere, if there is one copy.
  func types() -> [ObjectIdentifier]
}

/// The library's types and this protocol, as whoever calls sees them.
@inlinable @inline(__always) public func typesSeenHere() -> [ObjectIdentifier] {
  [ObjectIdentifier(ModuleManager.self), ObjectIdentifier((any Module).self), ObjectIdentifier((any Speaker).self)]
}

extension Event where Payload == String, Outcome == [String] {
  public static var greet: Self { .init("plugins.greet") }
}
