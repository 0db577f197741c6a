import Foundation

/// Returns the nanoseconds since a fixed point in the past.
public func now() -> UInt64 { time(of: CLOCK_MONOTONIC) }

/// Returns the processor time of the calling thread, in nanoseconds.
public func threadTime() -> UInt64 { time(of: CLOCK_THREAD_CPUTIME_ID) }

private func time(of clock: clockid_t) -> UInt64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
