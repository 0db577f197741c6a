import Dispatch
import RegistryC
import Testing

@Suite struct SyncTests {
  @Test func `a lock keeps threads apart`() throws {
    nonisolated(unsafe) let lock = try #require(registry_lock_create())
    nonisolated(unsafe) var count = 0
    DispatchQueue.concurrentPerform(iterations: 4) { _ in
      for _ in 0..<10_000 {
        registry_lock_acquire(lock)
        count += 1
        registry_lock_release(lock)
      }
    }
    #expect(count == 40_000)
    registry_lock_destroy(lock)
  }

  @Test func `a broadcast wakes who waits`() throws {
    nonisolated(unsafe) let lock = try #require(registry_lock_create())
    nonisolated(unsafe) var isReady = false
    DispatchQueue.concurrentPerform(iterations: 2) { worker in
      registry_lock_acquire(lock)
      if worker == 0 {
        while !isReady { registry_lock_wait(lock) }
      } else {
        isReady = true
        registry_lock_broadcast(lock)
      }
      registry_lock_release(lock)
    }
    registry_lock_destroy(lock)
  }

  @Test func `every thread has its own word`() {
    let number = UnsafeMutableRawPointer(bitPattern: 8)
    let before = registry_thread_word()
    registry_thread_set_word(number)
    DispatchQueue(label: "other").sync {}
    nonisolated(unsafe) var others: UnsafeMutableRawPointer? = number
    let done = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
      others = registry_thread_word()
      done.signal()
    }
    done.wait()
    #expect(registry_thread_word() == number)
    #expect(others == nil)
    registry_thread_set_word(before)
  }

  private func isCurrent(_ actor: any Actor, isMain: Bool = false) -> Bool {
    let (identity, implementation) = unsafeBitCast(
      actor.unownedExecutor, to: (identity: UInt, implementation: UInt).self)
    return registry_executor_is_current(identity, implementation, isMain)
  }

  @Test @MainActor func `on the main actor the main executor is current, also after a suspension`() async {
    #expect(isCurrent(MainActor.shared, isMain: true))
    await Task.yield()
    #expect(isCurrent(MainActor.shared, isMain: true))
  }

  @Test func `elsewhere it is not`() async {
    let answer = await Task.detached { isCurrent(MainActor.shared, isMain: true) }.value
    #expect(!answer)
  }

  @Test func `an actor's executor is current on that actor`() async {
    actor Own {
      func ask(_ body: @Sendable (any Actor) -> Bool) -> Bool { body(self) }
    }
    let own = Own()
    #expect(await own.ask { isCurrent($0) })
    #expect(!isCurrent(own))
  }
}
