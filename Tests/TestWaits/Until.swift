import Foundation
public import TestSupport
public import Testing

/// Waits until a condition is met by code that runs concurrently.
///
/// If the condition is not met within 30 seconds, or the test's time limit cancels the wait, the
/// test fails at the line of the call, and the message names the event.
///
/// The function evaluates the condition repeatedly on the caller's actor, so the code under test
/// needs no signal for the test.
///
/// ```swift
/// let running = Task { try await modules.run() }
/// try await until("the modules run") { modules.phases != nil }
/// ```
///
/// - Parameters:
///   - event: The event that the test waits for, as a sentence. It is evaluated only if the wait
///     fails.
///   - hasHappened: The condition.
public func until(
  _ event: @autoclosure () -> String, isolation: isolated (any Actor)? = #isolation,
  sourceLocation: SourceLocation = #_sourceLocation, _ hasHappened: () throws -> Bool
) async throws {
  let start = ProcessInfo.processInfo.systemUptime
  var rounds = 0
  while try !hasHappened() {
    let seconds = ProcessInfo.processInfo.systemUptime - start
    let isOver = seconds >= 30 && rounds >= 2 * fairShare
    if isOver || Task.isCancelled {
      let end = isOver ? "" : " and was cancelled"
      // Fail the test immediately and at its own line, even if leaving the test never ends.
      let hasHappened = false
      try #require(hasHappened, "waited \(Int(seconds)) s\(end) for: \(event())", sourceLocation: sourceLocation)
    }
    rounds += 1
    // Work that takes longer than this needs the processor more than the test does.
    guard rounds >= fairShare else {
      await Task.yield()
      continue
    }
    // The code that the test waits for can need the threads for concurrent tasks, which other tests
    // keep busy. A detached task waits for the same threads.
    await Task.detached { try? await Task.sleep(nanoseconds: 1_000_000) }.value
  }
}

/// The least number of times that a wait yields before it fails, and that it then waits for a
/// thread.
///
/// Each time, the wait queues behind the other tests, and so does the code that it waits for. While
/// all tests run at once on two cores, one turn can take a minute.
private let fairShare = 1_000

/// Waits for a condition in a test that must not leave its thread or the main actor.
///
/// The test continues after a failed wait. The limit is twenty minutes, because the function cannot
/// measure how long other code waits for its turn.
public func blockUntil(
  _ event: @autoclosure () -> String, sourceLocation: SourceLocation = #_sourceLocation, _ hasHappened: () -> Bool
) {
  let deadline = ProcessInfo.processInfo.systemUptime + 1_200
  while !hasHappened() {
    if ProcessInfo.processInfo.systemUptime >= deadline {
      Issue.record("waited 1200 s for: \(event())", sourceLocation: sourceLocation)
      return
    }
    sched_yield()
  }
}

extension ManualTime {
  /// Waits until at least the given number of tasks sleep.
  public func sleepers(
    _ count: Int, isolation: isolated (any Actor)? = #isolation, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await until("\(count) sleep in the test's time", isolation: isolation, sourceLocation: sourceLocation) {
      sleeperCount >= count
    }
  }
}
