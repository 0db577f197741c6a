/// A row to be measured.
public struct Benchmark {
  public let name: String
  /// Whether it is left out of quick runs.
  public let isSlow: Bool
  private let body: @MainActor (String, Effort) throws -> Comparison

  /// - Parameter body: Is given the name. Prepares, measures, and throws when something is wrong.
  public init(
    _ name: String, isSlow: Bool = false, _ body: @escaping @MainActor (String, Effort) throws -> Comparison
  ) {
    self.name = name
    self.isSlow = isSlow
    self.body = body
  }

  @MainActor public func run(_ effort: Effort) throws -> Comparison { try body(name, effort) }
}

/// The work did not come to what it should have.
public struct WrongChecksum: Error, CustomStringConvertible {
  let expected: Int
  let found: Int

  public init(expected: Int, found: Int) {
    self.expected = expected
    self.found = found
  }

  public var description: String { "the checksum is \(found) and should be \(expected)" }
}
