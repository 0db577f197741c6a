@testable import Lifecycle
import Registry
import TestSupport
import Testing

private final class Guest: Module {
  static var tearDowns = 0
  func tearDown(_ context: Context) throws { Self.tearDowns += 1 }
}

private final class Refusing: Module {
  func setUp(_ context: Context) throws { throw Broken() }
}

/// The tokens of registered modules.
@Suite(.serialized) @MainActor struct RegistrationTests {
  let problems = DiagnosticCollector()

  @Test func `a token removes its module once, and no module that is registered later`() throws {
    Guest.tearDowns = 0
    let manager = ModuleManager(onDiagnostic: problems.handler)
    try manager.start()
    let token = manager.register(Guest.self)
    #expect(manager.moduleNames.count == 1)
    #expect(token.cancel() && manager.moduleNames.isEmpty && Guest.tearDowns == 1)
    manager.register(Guest.self)
    #expect(!token.cancel() && manager.moduleNames.count == 1)
    manager.stop()
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `the token of a refused module cancels nothing`() throws {
    let manager = ModuleManager(modules: [Guest.self], onDiagnostic: problems.handler)
    #expect(!manager.register(Guest.self).cancel())
    try manager.start()
    #expect(!manager.register(Refusing.self).cancel())
    #expect(manager.moduleNames.count == 1 && problems.codes == [.duplicate, .setUpFailed])
  }

  @Test func `a module has all attributes with which it is registered`() {
    let manager = ModuleManager(onDiagnostic: problems.handler)
    manager.register(
      Guest.self, level: .basic, priority: 7, after: ["A.B"], activation: .onFirstEvent, initialization: .inNextTurn,
      replaysMissedPhases: true)
    manager.register(
      Refusing.self, level: .basic, priority: 7, after: [Guest.self], activation: .onFirstEvent,
      initialization: .inNextTurn, replaysMissedPhases: true)
    manager.register(
      named: "guest", level: .basic, priority: 7, after: ["A.B"], activation: .onFirstEvent,
      initialization: .inNextTurn, replaysMissedPhases: true
    ) { Guest() }
    let all = manager.registry.entries.all.map(\.attributes)
    #expect(all.map(\.after) == [["A.B"], ["LifecycleTests.Guest"], ["A.B"]])
    #expect(all.allSatisfy { $0.level == .basic && $0.priority == 7 && $0.replaysMissedPhases })
    #expect(all.allSatisfy { $0.activation == .onFirstEvent && $0.initialization == .inNextTurn })
  }
}
