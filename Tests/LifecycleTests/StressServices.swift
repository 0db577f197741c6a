import Lifecycle
import Registry
import TestSupport

// These are the services of the stress test, and the means to validate its results.

/// A value of several words that detects a torn write.
///
/// The words belong to one registration.
struct Words: Sendable {
  let registration: Registration
  private let words: (UInt, UInt, UInt, UInt)

  init(_ registration: Registration) {
    self.registration = registration
    let number = UInt(registration.make())
    words = (number, number &* 0x9e37_79b9_7f4a_7c15, ~number, number << 32 | UInt(registration.number))
  }

  var isWhole: Bool {
    let number = words.0
    return words.1 == number &* 0x9e37_79b9_7f4a_7c15 && words.2 == ~number
      && words.3 == number << 32 | UInt(registration.number)
  }
}

/// The words in a type of its own, which can have another scope.
struct FreshWords: Sendable {
  let words: Words
}

protocol StressShared: Sendable { var made: Made { get } }
protocol StressWeak: AnyObject, Sendable { var made: Made { get } }
/// The protocol of a service that several threads register, replace, and remove.
///
/// There is always one implementation.
protocol StressChanging: Sendable { var made: Made { get } }
/// The protocol of a service that one thread registers and removes under a separate name.
protocol StressNamed: Sendable { var made: Made { get } }
protocol StressExported: Sendable { var words: (UInt, UInt) { get } }
/// The protocol of a service that images export, which are loaded and unloaded.
protocol StressLate { var answer: Int { get } }

/// An instance that refers to its registration and is counted when it is released.
final class Made: StressShared, StressWeak, StressChanging, StressNamed {
  let registration: Registration
  var made: Made { self }

  init(_ registration: Registration) {
    self.registration = registration
    registration.make()
  }

  deinit { registration.free() }
}

/// A registration with the number of its instances and the time of its removal.
final class Registration: Sendable {
  let number: Int
  private let clock: StressClock
  private let state = Locked<(made: Int, freed: Int, removed: Int?)>((0, 0, nil))

  /// A Boolean value that indicates whether the registration creates at most one instance.
  let isOnce: Bool

  init(_ number: Int, _ clock: StressClock, isOnce: Bool = false) {
    self.number = number
    self.isOnce = isOnce
    self.clock = clock
  }

  @discardableResult func make() -> Int {
    state.withLock { state in
      state.made += 1
      return state.made
    }
  }

  func free() { state.withLock { $0.freed += 1 } }

  var made: Int { state.withLock { $0.made } }
  var freed: Int { state.withLock { $0.freed } }

  /// Records the removal after the manager has removed the registration.
  func isRemovedNow() {
    let now = clock.tick()
    state.withLock { $0.removed = now }
  }

  /// Returns whether the removal had returned on any thread before a moment.
  func wasRemoved(before moment: Int) -> Bool { state.withLock { $0.removed.map { $0 < moment } ?? false } }
}

/// A clock whose ticks order the operations of several threads.
final class StressClock: Sendable {
  private let ticks = Counter()
  func tick() -> Int { ticks.increment() }
}

@ExportService(StressExported.self, scope: .shared)
struct ExportedWords: StressExported {
  let words: (UInt, UInt)
  init() { words = (0x0123_4567_89ab_cdef, ~0x0123_4567_89ab_cdef) }
}

final class LateAnswer: StressLate, NamedExport {
  init() {}
  var answer: Int { 42 }
}

/// A module that an image exports, and that no code registers.
final class StressLateModule: Module {
  static func subscribe(_ events: Subscriptions<StressLateModule>) { events.on(.stress) { _, number, _ in [number] } }
  func setUp(_ context: Context) throws { context.configuration[.stressed].begun.increment() }
  func tearDown(_ context: Context) throws { context.configuration[.stressed].ended.increment() }
}

final class StressModuleA: Module {
  static func subscribe(_ events: Subscriptions<StressModuleA>) { events.on(.stress) { _, number, _ in [number + 1] } }
  func setUp(_ context: Context) throws { context.configuration[.stressed].begun.increment() }
  func tearDown(_ context: Context) throws { context.configuration[.stressed].ended.increment() }
}

/// A module that looks services up in its handler, on the main actor.
final class StressModuleB: Module {
  static func subscribe(_ events: Subscriptions<StressModuleB>) {
    events.on(.stress) { _, number, context in
      let shared = try context.services.createService(for: StressShared.self)
      return [shared.made.registration.number + number + 2]
    }
  }
}

extension Event where Payload == Int, Outcome == [Int] {
  static var stress: Self { .init("test.stress", combining: .collect) }
}

/// The numbers of modules that were set up and torn down.
final class Stressed: Sendable {
  let begun = Counter()
  let ended = Counter()
}

extension ContextKey where Value == Stressed {
  static var stressed: Self { .init("test.stressed", default: Stressed()) }
}
