import Foundation

/// Nanoseconds since some moment.
public func now() -> UInt64 { time(of: CLOCK_MONOTONIC) }

/// Nanoseconds that the calling thread has been at work: what other programs take from it does not count.
public func threadTime() -> UInt64 { time(of: CLOCK_THREAD_CPUTIME_ID) }

private func time(of clock: clockid_t) -> UInt64 {
  var time = timespec()
  clock_gettime(clock, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
