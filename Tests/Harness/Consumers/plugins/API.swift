public import Lifecycle
public import Routing

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

public struct Link: Codable, Sendable {
  public let id: Int
  public init(id: Int) { self.id = id }
}

extension Route where Parameters == Link, Outcome == any Speaker {
  /// The plug-in's alone.
  public static var extra: Self { .init("plugins.extra", [#pattern("plugins://extra/:id(Int)")], access: .remote) }
}

extension Route where Parameters == Void, Outcome == String {
  /// The app's feature and the plug-in have it both.
  public static var shared: Self { .init("plugins.shared") }
}
