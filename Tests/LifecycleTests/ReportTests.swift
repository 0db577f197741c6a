import Lifecycle
import Registry
import RegistryReports
import TestSupport
import Testing

private final class Early: Module {
  static func subscribe(_ events: Subscriptions<Early>) {
    events.on(.ping, .afterApp) { _, _ in }
    events.on(.open) { _, _, _ in true }
  }
}

private final class Late: Module {
  static func subscribe(_ events: Subscriptions<Late>) { events.on(.ping) { _, _ in } }
}

private final class Lazy: Module {
  static func subscribe(_ events: Subscriptions<Lazy>) { events.on(.ping) { _, _ in } }
}

/// A module that can be found by its name.
final class NamedInReport: Module {}

/// The text of a module manager's report.
@Suite @MainActor struct ReportTests {
  let problems = DiagnosticCollector()

  @Test func `a report has the file and the line of each way to register a module`() {
    let modules = ModuleManager(onDiagnostic: problems.handler)
    let line = UInt(#line)
    modules.register(Late.self)
    modules.register(Early.self, after: [Late.self])
    modules.register(named: "third") { Lazy() }
    modules.register(named: "LifecycleTests.NamedInReport")
    let text = modules.report().description
    for (name, offset) in [
      ("LifecycleTests.Late", 1), ("LifecycleTests.Early", 2), ("third", 3), ("LifecycleTests.NamedInReport", 4),
    ] {
      let end = "registered at LifecycleTests/ReportTests.swift:\(line + UInt(offset)): not set up"
      #expect(text.split(separator: "\n").contains { $0.contains(". '\(name)', ") && $0.hasSuffix(end) }, "\(text)")
    }
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `a report lists the modules in setup order, and the subscribers in calling order`() throws {
    let modules = ModuleManager(onDiagnostic: problems.handler)
    modules.register(Early.self, priority: -1, after: ["LifecycleTests.Late"], fileID: "Shop/App.swift", line: 3)
    modules.register(Late.self, level: .basic, fileID: "Shop/App.swift", line: 4)
    modules.register(Lazy.self, priority: -2, activation: .onFirstEvent, fileID: "Shop/App.swift", line: 5)
    modules.on(.ping, priority: 7, fileID: "Shop/Greeting.swift", line: 12, column: 1) { _ in }
    modules.on(Event<String, Void>("test.ping"), fileID: "Shop/Mismatch.swift", line: 1, column: 1) { _, _ in }
    let exported = RecordSource.loadedImages.records(of: .handler).count
    func text(_ early: String, _ lazy: String) -> String {
      // The handler whose types differ from those of the event is not a subscriber.
      let diagnostics = problems.diagnostics.isEmpty ? "none" : problems.diagnostics[0].description
      #if DEBUG
      let rule = "\n    without an answer, the outcome is false"
      #else
      let rule = ""
      #endif
      return """
        Modules, in setup order:
          1. 'LifecycleTests.Late', basic, priority 0, registered at Shop/App.swift:4: \(early)
          2. 'LifecycleTests.Early', normal, priority -1, after 'LifecycleTests.Late', registered at Shop/App.swift:3: \(early)
          3. 'LifecycleTests.Lazy', normal, priority -2, registered at Shop/App.swift:5: \(lazy)
        Events, with their subscribers in calling order:
          test.open
            1. 'LifecycleTests.Early', priority -1\(rule)
          test.ping
            1. 'LifecycleTests.Late', basic
            2. 'Shop/Greeting.swift:12:1', priority 7
            3. 'LifecycleTests.Lazy', priority -2\(lazy.hasPrefix("waits") ? ", which is created then" : "")
            4. 'LifecycleTests.Early', priority -1, after the app's own handling
          this manager reads no records, so it does not call the \(exported) handlers of '#onEvent'
        Services:
          none
        Records:
          none
        Diagnostics:
          \(diagnostics)

        """
    }
    #expect(modules.report().description == text("not set up", "not set up"))
    try modules.start()
    defer { modules.stop() }
    #expect(modules.report().description == text("set up", "waits for its first event; 'setUp' has not run"))
    modules.trigger(.ping)
    #expect(
      modules.report().description
        == text("set up", "set up"))
    #expect(problems.diagnostics.map(\.code) == [.eventMismatch])
  }
}
