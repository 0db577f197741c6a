import Foundation

/// Runs a body on several threads of its own at once, and returns when all have ended.
///
/// A `DispatchQueue.concurrentPerform` gives as many threads as there are idle cores, on a machine with one core a single
/// one: bodies that wait for each other would wait for ever, and tests of concurrency would test none.
///
/// - Parameters:
///   - count: How many threads.
///   - body: What each does. It is given its number, from zero.
public func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let finished = DispatchSemaphore(value: 0)
  for index in 0..<count {
    Thread.detachNewThread {
      body(index)
      finished.signal()
    }
  }
  for _ in 0..<count { finished.wait() }
}
