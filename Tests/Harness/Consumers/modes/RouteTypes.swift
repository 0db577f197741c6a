public struct Link: Codable, Sendable {
  public let id: Int
  public init(id: Int) { self.id = id }
}

/// What types make that routes open.
public protocol RouteScreen: Sendable {
  nonisolated func ask() -> String
}
