public import Lifecycle

public protocol Probe: Sendable {
  nonisolated func ask() -> String
}

@MainActor public protocol MainProbe: Sendable {
  func ask() -> String
}

public protocol PlainProbe {}

extension Event where Payload == Void, Outcome == [String] {
  public static var list: Self { .init("modes.list") }
}

extension Event where Payload == String, Outcome == Bool {
  public static var open: Self { .init("modes.open") }
}
