import Registry
import TestSupport
import TestWaits
import Testing

@testable import Lifecycle

@Suite(.timeLimit(.minutes(20))) struct TimeSourceTests {
  @Test func `the system's time only increases`() async throws {
    let time = TimeSource.system
    let start = time.now()
    #expect(start > 0)
    var last = start
    for _ in 0..<1_000 {
      let now = time.now()
      #expect(now >= last)
      last = now
    }
    try await time.sleep(2_000_000)
    #expect(time.now() - start >= 2_000_000)
  }

  @Test func `a sleep in the system's time ends when its task is cancelled`() async {
    let task = Task { try await TimeSource.system.sleep(TimeSource.nanoseconds(.infinity)) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `any number of seconds converts to valid nanoseconds`() {
    #expect(TimeSource.nanoseconds(0.5) == 500_000_000 && TimeSource.nanoseconds(1.5) == 1_500_000_000)
    #expect(TimeSource.nanoseconds(8e9) == 8_000_000_000_000_000_000)
    #expect(TimeSource.nanoseconds(0) == 0 && TimeSource.nanoseconds(-1) == 0 && TimeSource.nanoseconds(.nan) == 0)
    #expect(TimeSource.nanoseconds(.infinity) == 9_000_000_000_000_000_000)
    #expect(TimeSource.nanoseconds(1e300) == TimeSource.nanoseconds(.infinity))
  }

  @Test @MainActor func `a manager uses the given time source`() {
    let time = ManualTime(now: 7)
    let modules = ModuleManager(time: time.source)
    #expect(modules.time.now() == 7)
    time.advance(seconds: 2)
    #expect(modules.time.now() == 2_000_000_007)
  }

  @Test func `manual time resumes waiting tasks in the order of their deadlines, and not earlier`() async throws {
    let time = ManualTime()
    let woken = Trace()
    let second = Task {
      try await time.source.sleep(20)
      woken.add("second")
    }
    try await time.sleepers(1)
    let first = Task {
      try await time.source.sleep(10)
      woken.add("first")
    }
    try await time.sleepers(2)
    time.advance(by: 9)
    #expect(time.sleeperCount == 2)
    time.advance(by: 1)
    try await first.value
    #expect(woken.lines == ["first"] && time.sleeperCount == 1)
    time.advance(by: 10)
    try await second.value
    #expect(woken.lines == ["first", "second"])
  }

  @Test func `manual time resumes a canceled task immediately, before or after it begins to wait`() async throws {
    let time = ManualTime()
    let task = Task { try await time.source.sleep(10) }
    try await time.sleepers(1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    let early = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await time.source.sleep(10)
    }
    await #expect(throws: CancellationError.self) { try await early.value }
    #expect(time.sleeperCount == 0)
  }
}
