import Lifecycle
import Registry
import TestSupport
import Testing

@testable import BinaryInspection

/// The modules of records, as the app and the tool see them.
@MainActor @Suite struct ModuleAgreementTests {
  private final class Dummy: Module {}

  /// A module with the attributes that determine its order.
  private struct Given {
    var name: String
    var level = ModuleLevel.normal
    var priority = 0
    var after: [String] = []
    var activation = ModuleActivation.atLaunch

    var record: TestRecord {
      let after = after.map { "\"\($0)\"" }.joined(separator: ",")
      return .module(
        #"{"module":"\#(name)","level":"\#(level)","priority":\#(priority),"after":[\#(after)],"#
          + #""activation":"\#(activation)"}"#)
    }
  }

  /// A problem, independent of the names of images and of the words for them.
  private func finding(_ code: Diagnostic.Code, _ subject: String, _ message: String) -> String {
    var message = message
    for (word, common) in [
      ("loaded image", "file"), ("registered at run time", "exported by 'App'"),
      // A tool that reads files can't open an image or register a module.
      ("; register it, link its target, or open its image before the start", ""),
    ] {
      message = message.split(separator: word).joined(separator: common)
    }
    return "\(subject): \(message) [\(code)]"
  }

  /// Returns the problems and the order of an app that registers the modules.
  private func app(_ modules: [Given]) -> (findings: [String], order: [String]) {
    let collector = DiagnosticCollector()
    let manager = ModuleManager(onDiagnostic: collector.handler)
    for module in modules {
      manager.register(
        named: module.name, level: module.level, priority: module.priority, after: module.after,
        activation: module.activation
      ) { Dummy() }
    }
    var findings: [String] = []
    var order: [String] = []
    do throws(ModuleError) {
      try manager.start()
      order = manager.moduleNames
    } catch {
      findings.append(finding(error.code, "cycle", String(error.description.dropLast(" [cycle]".count))))
    }
    // The error states the cycle, and a diagnostic for each of its modules repeats it.
    findings += collector.diagnostics.filter { $0.code != .cycle }.map { finding($0.code, $0.subject, $0.message) }
    manager.stop()
    return (findings.sorted(), order)
  }

  /// Returns the problems and the order that the tool reads from a file with the modules.
  private func tool(_ modules: [Given]) -> (findings: [String], order: [String]) {
    let inspection = SimulatedObject.inspection([.with(modules.map(\.record), path: "App", type: .executable)])
    let findings = inspection.check().map { problem in
      finding(problem.code, problem.code == .cycle ? "cycle" : problem.subject ?? "", problem.message)
    }
    let check = ModuleCheck(inspection.images, ServiceNames(DeclaredTypes()))
    return (findings.sorted(), check.order.map { check.modules[$0.module].recorded.attributes.module })
  }

  private static let sets: [[Given]] = [
    [Given(name: "A.M"), Given(name: "B.M", after: ["A.M"]), Given(name: "C.M", priority: 3)],
    [Given(name: "A.M"), Given(name: "A.M", priority: 1), Given(name: "A.M")],
    [Given(name: "A.M", after: ["A.N", "Z.M"]), Given(name: "A.Nn")],
    [Given(name: "A.M", after: (0..<12).map { "Z.M\($0)" })],
    [Given(name: "A.M", level: .basic, after: ["B.M"]), Given(name: "B.M", activation: .onFirstEvent)],
    [Given(name: "A.M", after: ["A.M"])],
    [
      Given(name: "D.M", after: ["B.M"]), Given(name: "A.M", after: ["C.M"]), Given(name: "B.M", after: ["A.M"]),
      Given(name: "C.M", after: ["B.M"]), Given(name: "E.M", level: .basic),
    ],
  ]

  @Test func `the app and the tool find the same problems of modules, in the same words, and the same order`() {
    for modules in Self.sets {
      let (app, tool) = (app(modules), tool(modules))
      #expect(app.findings == tool.findings)
      // A module that its first event creates is not set up yet.
      let inactive = modules.filter { $0.activation == .onFirstEvent }.map(\.name)
      #expect(app.order == tool.order.filter { !inactive.contains($0) } || app.order.isEmpty)
    }
    #expect(Self.sets.map { app($0).findings.count } == [0, 1, 2, 9, 2, 1, 1])
  }
}
