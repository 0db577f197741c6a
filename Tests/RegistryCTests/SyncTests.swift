import Foundation
import RegistryC
import TestSupport
import Testing

/// What a thread of a test changes; the lock under test guards it.
private final class Guarded: @unchecked Sendable {
  let lock = registry_lock_create()!
  var number = 0

  deinit { registry_lock_destroy(lock) }

  func locked<R>(_ body: () -> R) -> R {
    registry_lock_acquire(lock)
    defer { registry_lock_release(lock) }
    return body()
  }
}

@Suite struct `The lock` {
  @Test func `It lets one thread in at a time`() {
    let guarded = Guarded()
    onThreads(8) { _ in
      for _ in 0..<2000 { guarded.locked { guarded.number += 1 } }
    }
    #expect(guarded.number == 16000)
  }

  @Test func `A broadcast wakes everybody who waits`() {
    let guarded = Guarded()
    onThreads(5) { thread in
      guarded.locked {
        guard thread > 0 else {
          // All four are waiting: each released the lock by waiting only.
          while guarded.number < 4 { registry_lock_wait(guarded.lock) }
          guarded.number = 100
          registry_lock_broadcast(guarded.lock)
          return
        }
        guarded.number += 1
        registry_lock_broadcast(guarded.lock)
        while guarded.number < 100 { registry_lock_wait(guarded.lock) }
      }
    }
    #expect(guarded.number == 100)
  }

  @Test func `Destroying none is nothing`() {
    registry_lock_destroy(nil)
  }
}

@Suite struct `The thread's word` {
  @Test func `Every thread has its own, null at first`() {
    onThreads(4) { number in
      let word = UnsafeMutableRawPointer(bitPattern: number + 1)
      precondition(registry_thread_word() == nil)
      registry_thread_set_word(word)
      for _ in 0..<1000 { precondition(registry_thread_word() == word) }
      registry_thread_set_word(nil)
      precondition(registry_thread_word() == nil)
    }
    #expect(registry_thread_word() == nil)
  }
}

/// Whether the runtime says that this executor is the current one.
private func isCurrent(_ executor: UnownedSerialExecutor, isMain: Bool = false) -> Bool {
  // The runtime's SerialExecutorRef is two words, and nothing else is in this struct.
  let words = unsafeBitCast(executor, to: (UInt, UInt).self)
  return registry_executor_is_current(words.0, words.1, isMain)
}

private actor Counter {
  func ask(_ other: UnownedSerialExecutor) async -> (own: Bool, ownLater: Bool, other: Bool, main: Bool) {
    let own = isCurrent(unownedExecutor)
    await Task.yield()
    return (
      own, isCurrent(unownedExecutor), isCurrent(other),
      isCurrent(MainActor.sharedUnownedExecutor, isMain: true)
    )
  }
}

@Suite struct `The executor` {
  @Test @MainActor func `The main actor is current on itself, before and after a suspension`() async {
    #expect(isCurrent(MainActor.sharedUnownedExecutor, isMain: true))
    await Task.yield()
    #expect(isCurrent(MainActor.sharedUnownedExecutor, isMain: true))
    await Task.detached {}.value
    #expect(isCurrent(MainActor.sharedUnownedExecutor, isMain: true))
  }

  @Test func `An actor is current on itself and nowhere else`() async {
    let first = Counter()
    let second = Counter()
    let answer = await first.ask(second.unownedExecutor)
    #expect(answer.own && answer.ownLater)
    #expect(!answer.other && !answer.main)
    #expect(!isCurrent(first.unownedExecutor))
    await MainActor.run { #expect(!isCurrent(first.unownedExecutor)) }
  }

  @Test func `No executor is current in a nonisolated task`() async {
    await Task.detached {
      #expect(!isCurrent(MainActor.sharedUnownedExecutor, isMain: true))
      await Task.yield()
      #expect(!isCurrent(MainActor.sharedUnownedExecutor, isMain: true))
    }.value
  }

  @Test func `No executor is current on a plain thread`() async {
    let counter = Counter()
    await withCheckedContinuation { done in
      Thread.detachNewThread {
        #expect(!isCurrent(MainActor.sharedUnownedExecutor, isMain: true))
        #expect(!isCurrent(counter.unownedExecutor))
        done.resume()
      }
    }
  }
}
