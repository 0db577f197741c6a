// A stand-in for the module Dispatch: the part that the tests use. Its C functions are the real ones.

@_silgen_name("dispatch_semaphore_create")
private func createSemaphore(_ value: Int) -> OpaquePointer
@_silgen_name("dispatch_semaphore_signal")
private func signalSemaphore(_ semaphore: OpaquePointer) -> Int
@_silgen_name("dispatch_semaphore_wait")
private func waitForSemaphore(_ semaphore: OpaquePointer, _ time: UInt64) -> Int
@_silgen_name("dispatch_time")
private func timeAfter(_ time: UInt64, _ nanoseconds: Int64) -> UInt64
@_silgen_name("host_start_thread")
private func hostStartThread(_ body: @escaping @Sendable () -> Void)

public enum DispatchTimeoutResult { case success, timedOut }

public struct DispatchTime {
  fileprivate let rawValue: UInt64
  public static func now() -> DispatchTime { DispatchTime(rawValue: timeAfter(0, 0)) }
  public static func + (time: DispatchTime, seconds: Double) -> DispatchTime {
    DispatchTime(rawValue: timeAfter(time.rawValue, Int64(seconds * 1e9)))
  }
}

// A semaphore can be used from any thread. It is never released, because tests create few.
public final class DispatchSemaphore: @unchecked Sendable {
  private let semaphore: OpaquePointer
  public init(value: Int) { semaphore = createSemaphore(value) }
  @discardableResult public func signal() -> Int { signalSemaphore(semaphore) }
  public func wait() { _ = waitForSemaphore(semaphore, .max) }
  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult {
    waitForSemaphore(semaphore, timeout.rawValue) == 0 ? .success : .timedOut
  }
}

/// A queue whose blocks each run on a thread of their own, for tests that add only one block.
public final class DispatchQueue: Sendable {
  public init(label: String) {}
  public func async(_ body: @escaping @Sendable () -> Void) { hostStartThread(body) }
}
