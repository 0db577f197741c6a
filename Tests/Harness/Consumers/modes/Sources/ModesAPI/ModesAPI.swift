public import Lifecycle

public protocol Probe: Sendable {
  nonisolated func ask() -> String
}

@MainActor public protocol MainProbe: Sendable {
  func ask() -> String
}

public protocol PlainProbe {}

/// A service that no feature exports.
public protocol MissingProbe: Sendable {}

extension Event where Payload == Void, Outcome == [String] {
  public static var list: Self { .init("modes.list", combining: .collect) }
}

extension Event where Payload == String, Outcome == [String] {
  public static var note: Self { .init("modes.note", combining: .collect) }
}

extension Event where Payload == Void, Outcome == [String] {
  public static var injected: Self { .init("modes.injected", combining: .collect) }
}

extension Event where Payload == String, Outcome == Void {
  public static var noted: Self { .init("modes.noted") }
}

/// The texts that handlers in tasks add.
public actor Noted {
  public static let shared = Noted()
  public private(set) var texts: [String] = []
  public func add(_ text: String) throws { texts.append(text) }
}

extension Event where Payload == String, Outcome == Bool {
  public static var open: Self { .init("modes.open", combining: .any) }
}

public struct Link: Codable, Sendable {
  public let id: Int
  public init(id: Int) { self.id = id }
}

/// The type that routes to screens open.
public protocol RouteScreen: Sendable {
  nonisolated func ask() -> String
}
