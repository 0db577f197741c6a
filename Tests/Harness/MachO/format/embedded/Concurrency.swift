// A stand-in for `_Concurrency`, which the toolchain lacks in Embedded Swift for Mach-O. It
// declares only the types that the compiler looks up for `@isolated(any)` and `@MainActor`. Its
// code never runs.

public protocol Actor: AnyObject, Sendable {
  nonisolated var unownedExecutor: UnownedSerialExecutor { get }
}

public struct UnownedSerialExecutor: Sendable {}

@globalActor public final actor MainActor {
  public static let shared = MainActor()
  nonisolated public var unownedExecutor: UnownedSerialExecutor { UnownedSerialExecutor() }
}
