public struct Link: Codable, Sendable {
  public let id: Int
  public init(id: Int) { self.id = id }
}

/// The type that routes to screens open.
public protocol RouteScreen: Sendable {
  nonisolated func ask() -> String
}
