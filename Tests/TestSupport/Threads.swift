import Foundation

/// Lets other threads run, so that a thread that is about to wait most likely waits.
///
/// The result of a test must not depend on that.
public func yieldProcessor() {
  for _ in 0..<1_000 { sched_yield() }
}

/// Runs a closure on several new threads at once, and returns when all of them have ended.
///
/// Threads cannot be stopped, so if they exceed the limit, the process ends with the test's name.
///
/// `DispatchQueue.concurrentPerform` uses as many threads as there are idle cores, and only one on
/// a machine with one core. Closures that wait for each other would then wait forever, and tests of
/// concurrency would test none.
///
/// - Parameters:
///   - count: The number of threads.
///   - limit: The number of seconds after which the process ends.
///   - body: The closure to run on each thread. It receives the number of the thread, which starts
///     at zero.
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
