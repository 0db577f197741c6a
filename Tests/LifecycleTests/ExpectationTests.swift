import Lifecycle
import Registry
import RegistryReports
import TestSupport
import Testing

private protocol Wanted: Sendable {}
private struct Found: Wanted {}

/// A module that registers a service in its set-up.
private final class Provider: Module {
  func setUp(_ context: Context) throws { context.services.register(Wanted.self) { Found() } }
}

private final class Watcher: Module {
  func setUp(_ context: Context) throws { context.configuration[.trace].add("+") }
  func tearDown(_ context: Context) throws { context.configuration[.trace].add("-") }
}

@MainActor struct ExpectationTests {
  let problems = DiagnosticCollector()
  let trace = Trace()

  private func manager(_ modules: [any Module.Type] = []) -> ModuleManager {
    ModuleManager(
      modules: modules, services: ServiceManager(onDiagnostic: problems.handler),
      configuration: ContextValues { $0[.trace] = trace }, onDiagnostic: problems.handler)
  }

  @Test func `a missing expected service fails the start with the reasons, and set-ups are undone`()
    throws
  {
    let modules = manager([Watcher.self])
    modules.require(Wanted.self)
    let error = #expect(throws: ModuleError.self) { try modules.start() }
    let missing = try #require(error?.diagnostics)
    #expect(missing.map(\.code) == [.missing] && missing.first?.severity == .error)
    #expect(missing.first?.subject == "LifecycleTests.Wanted")
    for reason in [
      "no implementation of", "not a dependency of this product", "-force_load", "--whole-archive", "dead code",
      "not open yet",
    ] {
      #expect(error.map { "\($0)".contains(reason) } == true, "\(reason)")
    }
    #expect(trace.lines == ["+", "-"])

    modules.context.services.register(Wanted.self) { Found() }
    try modules.start()
  }

  @Test func `a service that a module registers in its set-up is found`() throws {
    let modules = manager([Provider.self])
    modules.require(Wanted.self)
    try modules.start()
  }

  @Test func `services can be expected by name, and several at once`() throws {
    let modules = manager([Provider.self])
    modules.require(Wanted.self, named: "special")
    modules.require(Wanted.self, (any Sendable).self)
    let error = #expect(throws: ModuleError.self) { try modules.start() }
    let missing = try #require(error?.diagnostics)
    #expect(missing.count == 2)
    #expect(missing.first?.message.contains("named 'special'") == true)
    // The reasons are the same for all.
    #expect("\(error!)".split(separator: "--whole-archive").count == 2)
  }

  @Test func `a missing module does not hide a missing service`() throws {
    let modules = manager([Watcher.self])
    modules.require(Wanted.self)
    modules.require(modules: "Absent")
    let error = #expect(throws: ModuleError.self) { try modules.start() }
    let missing = try #require(error?.diagnostics)
    #expect(missing.map(\.subject) == ["Absent", "LifecycleTests.Wanted"])
    #expect(trace.lines.isEmpty)
  }

  @Test func `a service that is missing with a module is reported as one that a module can register`() throws {
    let note = "; no module has been set up, and a module, such as a missing one, can register the service"
    let modules = manager([Provider.self])
    modules.require(Wanted.self)
    modules.require(modules: "Absent")
    let error = #expect(throws: ModuleError.self) { try modules.start() }
    let missing = try #require(error?.diagnostics)
    #expect(missing.map { $0.message.hasSuffix(note) } == [false, true], "\(missing)")

    // After a set-up, the service is certainly missing.
    let later = manager([Watcher.self])
    later.require(Wanted.self)
    let certain = #expect(throws: ModuleError.self) { try later.start() }
    let stillMissing = try #require(certain?.diagnostics)
    #expect(stillMissing.map { $0.message.contains("set up") } == [false], "\(stillMissing)")
  }

  @Test func `a module that is expected without its target is suggested with it`() throws {
    let modules = manager([Watcher.self])
    modules.require(modules: "Watcher")
    let error = #expect(throws: ModuleError.self) { try modules.start() }
    #expect(error.map { "\($0)".contains("did you mean 'LifecycleTests.Watcher'?") } == true, "\(error as Any)")
  }

  @Test func `a missing expected module fails the start before any set-up, with the nearest name`()
    throws
  {
    let modules = manager([Watcher.self])
    let own = try #require(modules.report().records.isEmpty ? "LifecycleTests.Watcher" : nil)
    modules.require(modules: own)
    modules.require(modules: "LifecycleTests.Watchr")
    let error = #expect(throws: ModuleError.self) { try modules.start() }
    let missing = try #require(error?.diagnostics)
    #expect(missing.map(\.subject) == ["LifecycleTests.Watchr"])
    #expect(missing.first?.message.contains("did you mean 'LifecycleTests.Watcher'?") == true)
    #expect(trace.lines.isEmpty)
  }
}
