import Foundation

/// Returns the processor time, in seconds, that the calling thread spends in a closure.
///
/// Unlike elapsed time, processor time does not depend on the load of the machine. A `timeLimit`
/// even includes the time in which a test waits for its turn.
///
/// Use this function for work that takes a thousand times as long if it is done wrong, and compare
/// the result with a value in between.
public func processorSeconds(_ work: () throws -> Void) rethrows -> Double {
  func spent() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
  let start = spent()
  try work()
  return spent() - start
}
