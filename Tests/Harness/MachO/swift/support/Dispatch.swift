// A stand-in for the module Dispatch: the part that the tests use, in terms of the real one.

@_silgen_name("host_semaphore")
private func hostSemaphore(_ value: Int) -> AnyObject
@_silgen_name("host_signal")
private func hostSignal(_ semaphore: AnyObject) -> Int
@_silgen_name("host_wait")
private func hostWait(_ semaphore: AnyObject, _ seconds: Double) -> Bool
@_silgen_name("host_uptime")
private func hostUptime() -> Double

public enum DispatchTimeoutResult { case success, timedOut }

public struct DispatchTime {
  fileprivate var uptime: Double
  public static func now() -> DispatchTime { DispatchTime(uptime: hostUptime()) }
  public static func + (time: DispatchTime, seconds: Double) -> DispatchTime {
    DispatchTime(uptime: time.uptime + seconds)
  }
}

// The real semaphore can be used from any thread.
public final class DispatchSemaphore: @unchecked Sendable {
  private let semaphore: AnyObject
  public init(value: Int) { semaphore = hostSemaphore(value) }
  @discardableResult public func signal() -> Int { hostSignal(semaphore) }
  public func wait() { _ = hostWait(semaphore, .infinity) }
  public func wait(timeout: DispatchTime) -> DispatchTimeoutResult {
    hostWait(semaphore, max(0, timeout.uptime - hostUptime())) ? .success : .timedOut
  }
}

@_silgen_name("host_start_thread")
private func hostStartThread(_ body: @escaping @Sendable () -> Void)

/// A queue whose blocks each run on a thread of their own, for tests that add only one block.
public final class DispatchQueue: Sendable {
  public init(label: String) {}
  public func async(_ body: @escaping @Sendable () -> Void) { hostStartThread(body) }
}
