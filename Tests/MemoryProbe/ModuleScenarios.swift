import Lifecycle
import LifecycleTracing
import Registry
import RegistryReports

private final class Listener: Module {
  private let load = [Int](repeating: 1, count: 64)
  static func subscribe(_ events: Subscriptions<Listener>) {
    events.on(.probe) { module, number, _ in [number + module.load.count] }
    events.on(.probe) { _, number, _ in [number] }
  }
}

private final class Other: Module {
  static func subscribe(_ events: Subscriptions<Other>) {
    events.on(.probe) { _, number, _ in [number] }
  }
  func didFinishStarting(_ context: Context) throws { context.configuration[.finishedStarts] += 1 }
}

private final class Failing: Module {
  static func subscribe(_ events: Subscriptions<Failing>) {
    events.on(.probe) { _, number, _ in throw Probe.Refused(words: "of \(number)") }
  }
  func tearDown(_ context: Context) throws {
    throw Probe.Refused(words: "after \(context.configuration[.finishedStarts])")
  }
}

private final class NeverUp: Module {
  init() throws { throw Probe.Refused(words: "at once") }
}

extension Event where Payload == Int, Outcome == [Int] {
  fileprivate static var probe: Self { .init("probe.event", combining: .collect) }
}

extension ContextKey where Value == Int {
  fileprivate static var finishedStarts: Self { .init("probe.finishedStarts", default: 0) }
}

extension Probe {
  @MainActor static let modules: [String: Scenario] = [
    "subscriptions": {
      let modules = ModuleManager(onDiagnostic: { _ in })
      modules.reportSlow()
      try modules.start()
      return { round in
        let session = modules.register(named: "the session of round \(round)") { Other() }
        try check(session.cancel(), "no session")
        modules.register(Listener.self, after: ["nobody \(round)"])
        modules.register(Other.self, priority: round)
        try check(modules.trigger(.probe, round).count == 3, "not all answered")
        modules.unregister(Listener.self)
        try check(modules.trigger(.probe, round).count == 1, "one that is removed answered")
        modules.unregister(Other.self)
        for _ in 0..<8 { modules.context.observe(.finishedStarts) { _, _ in }.cancel() }
        for _ in 0..<2 {
          let waiting = Task { try await modules.context.gracefulShutdown() }
          waiting.cancel()
          _ = try? await waiting.value
        }
        await modules.waitUntilIdle()
      }
    },
    "starts": {
      let modules = ModuleManager(modules: [Listener.self, Other.self], onDiagnostic: { _ in })
      return { round in
        try modules.start(launch: ContextValues { $0[.finishedStarts] = round })
        _ = modules.trigger(.probe, round)
        await modules.waitUntilIdle()
        modules.stop()
      }
    },
    "module failures": {
      let modules = ModuleManager(modules: [Listener.self], onDiagnostic: { _ in })
      try modules.start()
      return { round in
        modules.context.configuration[.finishedStarts] = round
        modules.register(Failing.self)
        modules.register(NeverUp.self)
        _ = modules.trigger(.probe, round)
        modules.unregister(Failing.self)
        await modules.waitUntilIdle()
        try check(modules.report().diagnostics.count <= 1_000, "more diagnostics than are kept")
      }
    },
    "module managers": {
      return { round in
        let modules = ModuleManager(modules: [Listener.self, Other.self], onDiagnostic: { _ in })
        try modules.start()
        try check(modules.trigger(.probe, round).count == 3, "not all answered")
        await modules.waitUntilIdle()
        try check(modules.context.configuration[.finishedStarts] == 1, "no didFinishStarting")
        // Create several managers, so that the leak of even the smallest block exceeds the
        // tolerance.
        for _ in 0..<8 { _ = ModuleManager(onDiagnostic: { _ in }) }
      }
    },
  ]
}
