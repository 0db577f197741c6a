import Foundation

/// Runs a body on several new threads at once, and returns when all have ended.
///
/// Threads cannot be stopped, so if they exceed the limit, the process ends with the test's name.
///
/// A `DispatchQueue.concurrentPerform` gives as many threads as there are idle cores, on a machine with one core a single
/// one: bodies that wait for each other would wait for ever, and tests of concurrency would test none.
///
/// - Parameters:
///   - count: How many threads.
///   - limit: How many seconds they have.
///   - body: What each does. It is given its number, from zero.
public func onThreads(
  _ count: Int, limit: Double = 600, test: StaticString = #function, file: StaticString = #fileID, line: UInt = #line,
  _ body: @escaping @Sendable (Int) -> Void
) {
  let finished = DispatchSemaphore(value: 0)
  for index in 0..<count {
    Thread.detachNewThread {
      body(index)
      finished.signal()
    }
  }
  let deadline = DispatchTime.now() + limit
  for ended in 0..<count where finished.wait(timeout: deadline) == .timedOut {
    fatalError(
      "\(test) waited \(limit) s for: the end of \(count) threads; \(ended) have ended", file: file, line: line)
  }
}
