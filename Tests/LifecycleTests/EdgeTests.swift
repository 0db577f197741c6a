@testable import Lifecycle
import Registry
import TestSupport
import TestWaits
import Testing

extension Event where Payload == Int, Outcome == Void {
  fileprivate static var deeper: Self { .init("edge.deeper") }
}

/// A module that records the events of phases.
private final class ReceivesPhases: Module {
  static func subscribe(_ events: Subscriptions<ReceivesPhases>) {
    events.on(.ping) { _, context in context.configuration[.trace].add("ping") }
    events.on(.modulesDidSetUp) { _, context in context.configuration[.trace].add("did set up") }
    events.on(.modulesDidInitialize) { _, context in context.configuration[.trace].add("did initialise") }
    events.on(.modulesDidFinishStarting) { _, context in context.configuration[.trace].add("did finish starting") }
  }
}

private final class ReceivesStartCompletion: Module {
  static func subscribe(_ events: Subscriptions<ReceivesStartCompletion>) {
    events.on(.modulesDidFinishStarting) { _, context in context.configuration[.trace].add("did finish starting") }
  }
}

private final class PingsEarly: Module {
  static nonisolated(unsafe) weak var manager: ModuleManager?
  func setUp(_ context: Context) { Self.manager?.trigger(.ping) }
}

private final class ReceivesUnmounts: Module {
  static func subscribe(_ events: Subscriptions<ReceivesUnmounts>) {
    events.on(.moduleDidUnregister) { _, name, context in context.configuration[.trace].add("unmounted \(name)") }
  }
}

private final class Leaves: Module {}

/// The limits of nesting, and changes of the manager's state during events.
@Suite(.serialized, .timeLimit(.minutes(20))) @MainActor struct EdgeTests {
  let problems = DiagnosticCollector()
  let trace = Trace()

  private func manager() -> ModuleManager {
    let manager = ModuleManager(onDiagnostic: problems.handler)
    manager.context.configuration[.trace] = trace
    return manager
  }

  @Test func `a module that is added at the nesting limit does not receive its missed phases there`() throws {
    let manager = manager()
    try manager.start()
    manager.on(.deeper) { [weak manager] depth, _ in
      if depth < EventDepth.limit {
        manager?.trigger(.deeper, depth + 1)
      } else {
        manager?.register(ReceivesStartCompletion.self)
        manager?.register(ReceivesPhases.self, replaysMissedPhases: true)
      }
    }
    manager.trigger(.deeper, 1)
    #expect(problems.codes == [.tooDeep, .tooDeep])
    #expect(trace.lines.isEmpty)
    #expect(manager.moduleNames == ["LifecycleTests.ReceivesPhases", "LifecycleTests.ReceivesStartCompletion"])
  }

  @Test func `an observer that triggers endlessly is stopped with the name of the handler`() throws {
    let manager = manager()
    manager.on(.deeper) { _, _ in }
    try manager.start()
    manager.observeIntervals { [weak manager] interval in
      if !interval.hasEnded { MainActor.assumeIsolated { manager?.trigger(.deeper, 0) } }
    }
    manager.trigger(.deeper, 0)
    #expect(Set(problems.codes) == [.tooDeep])
    #expect(problems.diagnostics.first?.subject.hasPrefix("LifecycleTests/EdgeTests.swift:") == true)
    #expect(manager.dispatcher.depth == 0)
  }

  @Test func `a stop during the tear-down event does not trigger the event again`() throws {
    let manager = manager()
    var count = 0
    manager.on(.modulesWillTearDown) { [weak manager] _ in
      count += 1
      manager?.stop()
    }
    try manager.start()
    manager.stop()
    #expect(count == 1)
    #expect(problems.codes.isEmpty)
    try manager.start()
    manager.stop()
    #expect(count == 2)
  }

  @Test func `a manager that is restarted during its tear-down event stays started`() throws {
    let manager = manager()
    manager.register(Leaves.self)
    manager.on(.modulesWillTearDown, once: true) { [weak manager] _ in
      manager?.stop()
      try manager?.start()
    }
    try manager.start()
    manager.stop()
    #expect(manager.moduleNames == ["LifecycleTests.Leaves"])
    #expect(problems.codes.isEmpty)
    manager.stop()
    #expect(manager.moduleNames.isEmpty)
  }

  @Test func `a module that activates during the start receives each phase once, after it ends`() async throws {
    let manager = manager()
    manager.register(ReceivesPhases.self, priority: 2, activation: .onFirstEvent, replaysMissedPhases: true)
    try manager.start()
    #expect(trace.lines == ["did set up", "did initialise"])
    await manager.waitUntilIdle()
    #expect(trace.lines == ["did set up", "did initialise", "did finish starting"])

    manager.stop()
    trace.clear()
    PingsEarly.manager = manager
    manager.register(PingsEarly.self, priority: 1)
    try manager.start()
    await manager.waitUntilIdle()
    #expect(trace.lines == ["ping", "did set up", "did initialise", "did finish starting"])
  }

  @Test func `a module that activates on a phase's event receives it once`() async throws {
    let manager = manager()
    manager.register(ReceivesStartCompletion.self, activation: .onFirstEvent, replaysMissedPhases: true)
    try manager.start()
    await manager.waitUntilIdle()
    #expect(trace.lines == ["did finish starting"])
  }

  @Test func `a module that activates after the start first receives the missed phases`() async throws {
    let manager = manager()
    try manager.start()
    await manager.waitUntilIdle()
    manager.register(ReceivesPhases.self, activation: .onFirstEvent, replaysMissedPhases: true)
    manager.trigger(.ping)
    await manager.waitUntilIdle()
    #expect(trace.lines == ["did set up", "did initialise", "ping", "did finish starting"])
  }

  @Test func `canceling a handler does not trigger the event for removed modules`() throws {
    let manager = manager()
    manager.register(ReceivesUnmounts.self)
    manager.register(Leaves.self)
    try manager.start()
    manager.on(.ping) { _ in }.cancel()
    manager.unregister(Leaves.self)
    #expect(trace.lines == ["unmounted LifecycleTests.Leaves"])
  }
}
