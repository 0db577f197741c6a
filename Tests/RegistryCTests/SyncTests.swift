import Foundation
import RegistryC
import TestSupport
import Testing

/// A number that the threads of a test change.
///
/// Unchecked: The lock under test guards the number.
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
  @Test func `A lock admits one thread at a time`() {
    let guarded = Guarded()
    onThreads(8) { _ in
      for _ in 0..<2000 { guarded.locked { guarded.number += 1 } }
    }
    #expect(guarded.number == 16000)
  }

  @Test func `Destroying a null lock has no effect`() {
    registry_lock_destroy(nil)
  }
}

/// A turn, and the reports of a test's threads about it.
private final class SharedTurn: @unchecked Sendable {
  let turn = registry_turn_create()!
  /// The progress of the turn: one when it has begun, two just before it ends.
  let stage = Guarded()
  /// The number of threads that are about to wait.
  let waiting = Guarded()
  /// The number of threads that waited until the end.
  let seen = Guarded()

  deinit { registry_turn_destroy(turn) }
}

@Suite struct `The turn` {
  @Test func `A wait returns at once if no thread has the turn`() {
    let shared = SharedTurn()
    registry_turn_wait(shared.turn)
    registry_turn_begin(shared.turn)
    registry_turn_end(shared.turn)
    registry_turn_wait(shared.turn)
  }

  @Test func `A wait lasts until the turn ends`() {
    let shared = SharedTurn()
    onThreads(5) { thread in
      guard thread > 0 else {
        registry_turn_begin(shared.turn)
        shared.stage.locked { shared.stage.number = 1 }
        // The other threads are waiting by now, or begin to wait after the turn. Both waits must
        // end. The processor is yielded, so that most threads are waiting.
        while shared.waiting.locked({ shared.waiting.number }) < 4 { sched_yield() }
        yieldProcessor()
        shared.stage.locked { shared.stage.number = 2 }
        registry_turn_end(shared.turn)
        return
      }
      while shared.stage.locked({ shared.stage.number }) == 0 { sched_yield() }
      shared.waiting.locked { shared.waiting.number += 1 }
      registry_turn_wait(shared.turn)
      let stage = shared.stage.locked { shared.stage.number }
      shared.seen.locked { shared.seen.number += stage == 2 ? 1 : 0 }
    }
    #expect(shared.seen.number == 4)
  }

  @Test func `Every wait ends, also if the turn of another thread begins immediately`() {
    let shared = SharedTurn()
    let turns = Guarded()
    onThreads(6) { thread in
      for _ in 0..<2000 {
        guard thread < 2 else {
          registry_turn_wait(shared.turn)
          continue
        }
        // Callers of a turn ensure that only one thread has the turn.
        turns.locked {
          registry_turn_begin(shared.turn)
          turns.number += 1
          registry_turn_end(shared.turn)
        }
      }
    }
    #expect(turns.number == 4000)
  }

  @Test func `Destroying a null turn has no effect`() {
    registry_turn_destroy(nil)
  }
}

@Suite struct `The thread's word` {
  @Test func `Every thread has its own word, which is null at first`() {
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

/// Returns whether the runtime reports an executor as the current one.
private func isCurrent(_ executor: UnownedSerialExecutor, isMain: Bool = false) -> Bool {
  // The runtime's SerialExecutorRef has two words, which are the only contents of this structure.
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

@Suite(.timeLimit(.minutes(20))) struct `The executor` {
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
