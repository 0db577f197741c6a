import Foundation
import Measuring

/// What a thread came to, and when it was at work.
struct ThreadTurn: Sendable {
  let sum: Int
  /// Nanoseconds of the thread's own clock.
  let time: UInt64
  let start: UInt64
  let end: UInt64

  /// Runs and measures a loop.
  init(_ count: Int, _ loop: (Int) throws -> Int) rethrows {
    let (start, own) = (now(), threadTime())
    sum = try loop(count)
    (time, self.start, end) = (threadTime() - own, start, now())
  }
}

/// What threads come to.
private final class Turns: @unchecked Sendable {
  // Unchecked: read and written under the lock.
  private let lock = NSLock()
  private var turns: [Result<ThreadTurn, any Error>] = []

  func add(_ turn: Result<ThreadTurn, any Error>) { lock.withLock { turns.append(turn) } }

  func all() throws -> [ThreadTurn] { try lock.withLock { try turns.map { try $0.get() } } }
}

/// Runs loops on a thread each, all at once, and returns what they come to when all have ended.
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

/// The same, again if the machine had no core for each of them: how many were at work at once is what their own clocks
/// show of the time that passed.
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
