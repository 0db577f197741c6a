public import Lifecycle
public import Routing

public protocol Speaker: Sendable {
  func speak() -> String
  /// Returns the library's types as the speaker's image sees them.
  ///
  /// Every image returns the same types if the process has only one copy of the library.
  func types() -> [ObjectIdentifier]
}

/// Returns the library's types and this protocol as the caller's image sees them.
@inlinable @inline(__always) public func typesSeenHere() -> [ObjectIdentifier] {
  [ObjectIdentifier(ModuleManager.self), ObjectIdentifier((any Module).self), ObjectIdentifier((any Speaker).self)]
}

extension Event where Payload == String, Outcome == [String] {
  public static var greet: Self { .init("plugins.greet", combining: .collect) }
}

public struct Link: Codable, Sendable {
  public let id: Int
  public init(id: Int) { self.id = id }
}

extension Route where Parameters == Link, Outcome == any Speaker {
  /// A route that only the plug-in exports.
  public static var extra: Self { .init("plugins.extra", [#pattern("plugins://extra/:id(Int)")], access: .remote) }
}

extension Route where Parameters == Void, Outcome == String {
  /// A route that both the app's feature and the plug-in export.
  public static var shared: Self { .init("plugins.shared") }
}
