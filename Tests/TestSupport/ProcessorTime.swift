import Foundation

/// The processor time in seconds that the calling thread needs for `work`. On a busy machine it is what it is on an idle
/// one, unlike the time that goes by, of which a `timeLimit` counts also what a test waits for its turn.
///
/// For work that is done at once, or takes a thousand times as long if done wrongly: compare with something in between.
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
