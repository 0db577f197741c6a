/// A measurement that yields a row of the table.
public struct Benchmark {
  public let name: String
  /// A Boolean value that indicates whether quick runs skip the benchmark.
  public let isSlow: Bool
  private let body: @MainActor (String, Effort) throws -> Comparison

  /// Creates a benchmark.
  ///
  /// - Parameters:
  ///   - name: The name of the row.
  ///   - isSlow: A Boolean value that indicates whether quick runs skip the benchmark.
  ///   - body: A closure that prepares and runs the measurement. It receives the name, and throws
  ///     an error if a result is wrong.
  public init(
    _ name: String, isSlow: Bool = false, _ body: @escaping @MainActor (String, Effort) throws -> Comparison
  ) {
    self.name = name
    self.isSlow = isSlow
    self.body = body
  }

  @MainActor public func run(_ effort: Effort) throws -> Comparison { try body(name, effort) }
}

/// An error for work whose checksum is wrong.
public struct WrongChecksum: Error, CustomStringConvertible {
  let expected: Int
  let found: Int

  public init(expected: Int, found: Int) {
    self.expected = expected
    self.found = found
  }

  public var description: String { "the checksum is \(found) and should be \(expected)" }
}
