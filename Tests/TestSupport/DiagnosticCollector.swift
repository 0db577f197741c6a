public import Registry

/// A collector of the diagnostics that a manager reports.
public final class DiagnosticCollector: Sendable {
  private let list = Locked<[Diagnostic]>([])

  public init() {}

  /// The closure to pass to a manager as its handler of diagnostics.
  public var handler: @Sendable (Diagnostic) -> Void {
    { diagnostic in self.list.withLock { $0.append(diagnostic) } }
  }

  public var diagnostics: [Diagnostic] { list.withLock { $0 } }

  /// The diagnostics other than that a manager has nothing to start, which some tests do on purpose.
  public var unexpected: [Diagnostic] { diagnostics.filter { $0.code != "nothing-to-start" } }

  /// The codes of the diagnostics in the order in which they were reported.
  public var codes: [Diagnostic.Code] { diagnostics.map(\.code) }

  /// Returns the diagnostics that have a code.
  public subscript(code: Diagnostic.Code) -> [Diagnostic] { diagnostics.filter { $0.code == code } }
}

/// A counter that several threads can use.
public final class Counter: Sendable {
  private let count = Locked(0)

  public init() {}

  public var value: Int { count.withLock { $0 } }

  @discardableResult public func increment() -> Int {
    count.withLock {
      $0 += 1
      return $0
    }
  }
}

/// A list of lines that several threads can append to.
public final class Trace: Sendable {
  private let list = Locked<[String]>([])

  public init() {}

  public var lines: [String] { list.withLock { $0 } }

  public func add(_ line: String) { list.withLock { $0.append(line) } }

  public func clear() { list.withLock { $0 = [] } }
}
