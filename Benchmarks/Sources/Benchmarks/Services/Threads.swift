import Foundation

/// What threads come to.
private final class Results: @unchecked Sendable {
  // Unchecked: read and written under the lock.
  private let lock = NSLock()
  private var values: [Int: Result<(sum: Int, time: UInt64), any Error>] = [:]

  func set(_ value: Result<(sum: Int, time: UInt64), any Error>, of thread: Int) {
    lock.withLock { values[thread] = value }
  }

  func all() throws -> [(sum: Int, time: UInt64)] { try lock.withLock { try values.values.map { try $0.get() } } }
}

/// Runs bodies on a thread each, all at once, and returns what they come to when all have ended.
func onThreads(
  _ bodies: [@Sendable () throws -> (sum: Int, time: UInt64)]
) throws -> [(sum: Int, time: UInt64)] {
  let results = Results()
  let (ready, start, end) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  for (number, body) in bodies.enumerated() {
    Thread.detachNewThread {
      ready.signal()
      start.wait()
      results.set(Result(catching: body), of: number)
      end.signal()
    }
  }
  for _ in bodies { ready.wait() }
  for _ in bodies { start.signal() }
  for _ in bodies { end.wait() }
  return try results.all()
}
