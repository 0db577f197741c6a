import Foundation
import Lifecycle
import Registry
import TestSupport
import TestWaits
import Testing

@testable import AppHost

/// A system that delays the suspension of an app, and records the delays.
@MainActor private final class SimulatedSuspension {
  enum Answer {
    case granted
    case refused
    /// Time that ends before the call returns.
    case expired
  }

  let answer: Answer
  private(set) var lines: [String] = []
  /// The closures for the expiration of each delay.
  private(set) var expire: [@MainActor @Sendable () -> Void] = []

  init(_ answer: Answer = .granted) {
    self.answer = answer
  }

  func begin(_ name: String, expired: @escaping @MainActor @Sendable () -> Void) -> (@MainActor () -> Void)? {
    lines.append("begin \(name)")
    guard answer != .refused else { return nil }
    expire.append(expired)
    if answer == .expired { expired() }
    let number = expire.count
    return { self.lines.append("end \(number)") }
  }
}

@Suite(.timeLimit(.minutes(20))) @MainActor struct BackgroundTimeTests {
  private let time = ManualTime()
  private let problems = DiagnosticCollector()
  private let modules: ModuleManager

  init() throws {
    modules = ModuleManager(
      configuration: ContextValues { $0[.systemEventTimeLimit] = 20 }, time: time.source,
      onDiagnostic: problems.handler)
    try modules.start()
  }

  @Test func `without a module that finishes work, the suspension is not delayed`() {
    let system = SimulatedSuspension()
    modules.on(.didEnterBackground) { _ in }
    modules.finishInBackground(system.begin)
    #expect(system.lines.isEmpty)
  }

  @Test func `the app is not suspended until the last handler has answered`() async throws {
    let (system, first, second) = (SimulatedSuspension(), ManualTime(), ManualTime())
    for work in [first, second] { modules.on(.finishInBackground) { _ in try await work.source.sleep(1) } }
    modules.finishInBackground(system.begin)
    #expect(system.lines == ["begin background.finish"])
    try await first.sleepers(1)
    try await second.sleepers(1)
    first.advance(seconds: 1)
    for _ in 0..<100 { await Task.yield() }
    #expect(system.lines == ["begin background.finish"])
    second.advance(seconds: 1)
    try await until("the delay ends") { system.lines.count == 2 }
    #expect(system.lines == ["begin background.finish", "end 1"])
    // The system can call the closure late.
    system.expire[0]()
    #expect(system.lines.count == 2 && problems.diagnostics.isEmpty)
  }

  @Test func `when the time is over, the handlers are canceled before the delay ends`() async throws {
    let (system, work) = (SimulatedSuspension(), ManualTime())
    var lines: [String] = []
    modules.on(.finishInBackground) { _ in
      do { try await work.source.sleep(1) } catch {
        lines.append("canceled")
        throw error
      }
    }
    modules.finishInBackground(system.begin)
    try await work.sleepers(1)
    system.expire[0]()
    // The system terminates an app that ends the delay only after the call.
    #expect(system.lines == ["begin background.finish", "end 1"])
    try await until("the handler is canceled") { lines == ["canceled"] }
    #expect(problems.diagnostics.map(\.code) == [.noAnswer])
    #expect(
      problems.diagnostics.first?.message.hasSuffix(
        "did not answer before the system ended the time in the background; its task is canceled, and the outcome lacks"
          + " its answer") == true)
    #expect(system.lines.count == 2)
  }

  @Test func `a handler that exceeds the time limit does not delay the suspension further`() async throws {
    let (system, work) = (SimulatedSuspension(), ManualTime())
    modules.on(.finishInBackground) { _ in try await work.source.sleep(1) }
    modules.finishInBackground(system.begin)
    try await time.sleepers(1)
    time.advance(seconds: 20)
    try await until("the delay ends") { system.lines == ["begin background.finish", "end 1"] }
    #expect(problems.diagnostics.map(\.code) == [.noAnswer])
  }

  @Test func `the delay ends if the modules are stopped`() async throws {
    let (system, work) = (SimulatedSuspension(), ManualTime())
    modules.register(Uploader.self)
    modules.context.configuration[.work] = work
    modules.finishInBackground(system.begin)
    try await work.sleepers(1)
    modules.stop()
    try await until("the delay ends") { system.lines == ["begin background.finish", "end 1"] }
    #expect(problems.diagnostics.isEmpty)
  }

  @Test(arguments: [true, false]) func `handlers also run if the system grants no time`(isExpired: Bool) async throws {
    let system = SimulatedSuspension(isExpired ? .expired : .refused)
    var count = 0
    modules.on(.finishInBackground) { _ in count += 1 }
    modules.finishInBackground(system.begin)
    try await until("the handler runs") { count == 1 }
    #expect(system.lines == (isExpired ? ["begin background.finish", "end 1"] : ["begin background.finish"]))
  }

  @Test func `each time that the app enters the background has its own delay`() async throws {
    let (system, work) = (SimulatedSuspension(), ManualTime())
    modules.on(.finishInBackground) { _ in try await work.source.sleep(1) }
    modules.finishInBackground(system.begin)
    modules.finishInBackground(system.begin)
    try await work.sleepers(2)
    system.expire[0]()
    #expect(system.lines == ["begin background.finish", "begin background.finish", "end 1"])
    work.advance(seconds: 1)
    try await until("the second delay ends") { system.lines.last == "end 2" }
    #expect(system.lines.count == 4)
  }

  @Test func `handlers that save run before those that finish work, with the configured limit`() async throws {
    let (center, name, system) = (NotificationCenter(), Notification.Name("background"), SimulatedSuspension())
    var lines: [String] = []
    modules.on(.finishInBackground) { _ in lines.append("finish") }
    modules.on(.didEnterBackground) { _ in lines.append("save") }
    for _ in ["the delegate", "the view"] {
      modules.observe(
        .didEnterBackground,
        afterwards: { modules in
          lines.append("\(modules.systemEventTimeLimit)")
          modules.finishInBackground(system.begin)
        }
      ) { posted in
        _ = center.addObserver(forName: name, object: nil, queue: nil) { _ in MainActor.assumeIsolated { posted(()) } }
      }
    }
    center.post(name: name, object: nil)
    #expect(lines == ["save", "20.0"])
    try await until("the delay ends") { system.lines == ["begin background.finish", "end 1"] }
    #expect(lines == ["save", "20.0", "finish"])
  }

  @Test func `an expiring activity lasts until the handlers are done, and an expiration cancels them`() async throws {
    for expires in [false, true] {
      let (system, work) = (SimulatedActivities(), ManualTime())
      let subscription = modules.on(.finishInBackground) { _ in try await work.source.sleep(1) }
      modules.finishInBackground(system.begin)
      try await work.sleepers(1)
      let ended = system.grant()
      for _ in 0..<100 { await Task.yield() }
      #expect(ended.value == 0)
      if !expires { work.advance(seconds: 1) }
      try await until("the activity ends") {
        // The thread may not have begun when the system reports the end for the first time.
        if expires { system.report(true) }
        return ended.value == 1
      }
      #expect(problems[.noAnswer].count == (expires ? 1 : 0))
      subscription.cancel()
    }
  }

  @Test func `if the system grants no expiring activity, the handlers run until the app is suspended`() async throws {
    let (system, work) = (SimulatedActivities(), ManualTime())
    var lines: [String] = []
    modules.on(.finishInBackground) { _ in
      try await work.source.sleep(1)
      lines.append("done")
    }
    modules.finishInBackground(system.begin)
    try await work.sleepers(1)
    system.report(true)
    for _ in 0..<100 { await Task.yield() }
    work.advance(seconds: 1)
    try await until("the handler is done") { lines == ["done"] }
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `a manager that is not started causes no delay`() {
    let (system, idle) = (SimulatedSuspension(), ModuleManager(onDiagnostic: problems.handler))
    idle.on(.finishInBackground) { _ in }
    idle.finishInBackground(system.begin)
    #expect(system.lines.isEmpty && problems.unexpected.isEmpty)
  }
}

/// A system with expiring activities, which calls their closures on other threads.
private final class SimulatedActivities: Sendable {
  private let activity = Locked<(@Sendable (Bool) -> Void)?>(nil)

  @MainActor func begin(_ name: String, expired: @escaping @MainActor @Sendable () -> Void) -> @MainActor () -> Void {
    ExpiringActivity.begin(expired) { activity in self.activity.withLock { $0 = activity } }
  }

  /// Grants the time on a thread of the system.
  ///
  /// - Returns: A counter that becomes 1 when the closure returns.
  func grant() -> Counter {
    let ended = Counter()
    Thread.detachNewThread { [self] in
      report(false)
      ended.increment()
    }
    return ended
  }

  func report(_ isExpired: Bool) { activity.withLock { $0 }?(isExpired) }
}

extension ContextKey where Value == ManualTime? {
  fileprivate static var work: Self { .init("test.work") }
}

private final class Uploader: Module {
  static func subscribe(_ events: Subscriptions<Uploader>) {
    events.on(.finishInBackground) { _, context in try await context.configuration[.work]?.source.sleep(1) }
  }
}
