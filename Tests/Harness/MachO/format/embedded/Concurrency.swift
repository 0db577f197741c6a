// Stands in for `_Concurrency`, which the toolchain does not have in Embedded Swift for Mach-O: what the compiler looks
// up there for `@isolated(any)` and `@MainActor`, and no more. Nothing of it is ever run.

public protocol Actor: AnyObject, Sendable {
  nonisolated var unownedExecutor: UnownedSerialExecutor { get }
}

public struct UnownedSerialExecutor: Sendable {}

@globalActor public final actor MainActor {
  public static let shared = MainActor()
  nonisolated public var unownedExecutor: UnownedSerialExecutor { UnownedSerialExecutor() }
}
