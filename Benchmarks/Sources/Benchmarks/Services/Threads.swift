import Foundation
import Measuring

/// The result and the times of a loop on a thread.
struct ThreadTurn: Sendable {
  let sum: Int
  /// The processor time of the thread, in nanoseconds.
  let time: UInt64
  let start: UInt64
  let end: UInt64

  init(_ count: Int, _ loop: (Int) throws -> Int) rethrows {
    let (start, own) = (now(), threadTime())
    sum = try loop(count)
    (time, self.start, end) = (threadTime() - own, start, now())
  }
}

/// The results of loops on several threads.
private final class Turns: @unchecked Sendable {
  // Unchecked: the array is accessed only under the lock.
  private let lock = NSLock()
  private var turns: [Result<ThreadTurn, any Error>] = []

  func add(_ turn: Result<ThreadTurn, any Error>) { lock.withLock { turns.append(turn) } }

  func all() throws -> [ThreadTurn] { try lock.withLock { try turns.map { try $0.get() } } }
}

/// Runs each loop on a separate thread, all at the same time, and returns the results.
func onThreads(_ count: Int, _ loops: [@Sendable (Int) throws -> Int]) throws -> [ThreadTurn] {
  let turns = Turns()
  let (ready, start, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  for loop in loops {
    Thread.detachNewThread {
      ready.signal()
      start.wait()
      turns.add(Result { try ThreadTurn(count, loop) })
      end.signal()
    }
  }
  for _ in loops { ready.wait() }
  for _ in loops { start.signal() }
  for _ in loops { end.wait() }
  return try turns.all()
}

/// Runs each loop on a separate thread, ideally when the machine has a free core for each.
///
/// The function runs the loops up to ten times, until the threads run at the same time.
///
/// - Returns: The results with the highest parallelism, which is the processor time of all threads
///   divided by the elapsed time.
func atOnce(
  _ count: Int, _ loops: [@Sendable (Int) throws -> Int]
) throws -> (turns: [ThreadTurn], parallelism: Double) {
  var best: (turns: [ThreadTurn], parallelism: Double) = ([], 0)
  for _ in 0..<10 where best.parallelism < 0.85 * Double(loops.count) {
    let turns = try onThreads(count, loops)
    let passed = (turns.map(\.end).max() ?? 0) - (turns.map(\.start).min() ?? 0)
    let parallelism = Double(turns.reduce(0) { $0 + $1.time }) / Double(max(passed, 1))
    if parallelism >= best.parallelism { best = (turns, parallelism) }
  }
  return best
}
