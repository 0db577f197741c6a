import Foundation
import Lifecycle
import LifecycleTracing
import Registry
import TestSupport
import Testing

extension Event where Payload == Void, Outcome == Void {
  fileprivate static var step: Self { .init("budget.step") }
}

@Suite @MainActor struct BudgetToolTests {
  /// A trace of one handler that takes a number of milliseconds.
  private func trace(_ milliseconds: UInt64) throws -> Data {
    let time = ManualTime()
    let manager = ModuleManager(modules: [], onDiagnostic: { _ in })
    manager.on(.step, fileID: "Cart/Step.swift", line: 3, column: 1) { _ in time.advance(by: milliseconds * 1_000_000) }
    try manager.start()
    let timeline = LifecycleTimeline(time: time.source)
    timeline.observe(manager)
    manager.trigger(.step)
    manager.stop()
    return try timeline.chromeTrace()
  }

  /// Writes traces to a folder and runs `registry-tool budget` in it.
  private func budget(_ arguments: [String], _ traces: [String: Data]) throws -> ToolTests.Run {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("budget-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for (name, data) in traces { try data.write(to: folder.appendingPathComponent(name)) }
    return try ToolTests().tool(["budget"] + arguments, in: folder.path)
  }

  @Test func `without limits, the times are printed`() throws {
    let run = try budget(["a.json"], ["a.json": try trace(3)])
    #expect(run.status == 0 && run.errors == "")
    #expect(
      run.output == """
        KIND     NAME                              TIME  LIMIT
        handler  Cart/Step.swift:3:1: budget.step  3ms   -

        """)
  }

  @Test func `a limit that is exceeded is a line, a JSON object, or an annotation, and the status is 1`() throws {
    let traces = ["a.json": try trace(3), "b.json": try trace(5), "c.json": try trace(4)]
    let limit = ["--handler=2ms", "--handler=budget.step=3.5ms", "a.json", "b.json", "c.json"]
    let message =
      "Cart/Step.swift:3:1: its handler of 'budget.step' took 4ms in the median of 3 of 3 traces, and the limit is"
      + " 3.5ms; make it faster, or raise the limit [over-budget]"
    let text = try budget(limit, traces)
    #expect(text.status == 1 && text.errors == "error: \(message)\n")
    #expect(text.output.contains("  4ms     3.5ms exceeded\n"))

    let json = try budget(["--format", "json"] + limit, traces)
    #expect(json.status == 1 && json.errors == "")
    let object = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [String: Any])
    let problems = try #require(object["problems"] as? [[String: Any]])
    #expect(problems.map { $0["code"] as? String } == ["over-budget"])
    let measurements = try #require(object["measurements"] as? [[String: Any]])
    #expect(measurements.map { $0["nanoseconds"] as? Int } == [4_000_000])

    let gitHub = try budget(["--format", "github"] + limit, traces)
    #expect(gitHub.status == 1 && gitHub.errors == "")
    #expect(gitHub.output == "::error title=over-budget%3A Cart/Step.swift%3A3%3A1::error: \(message)\n")
    #expect(try budget(["--handler", "4ms", "a.json", "b.json", "c.json"], traces).status == 0)
  }

  @Test func `a file that is no trace is an error, and the others are compared`() throws {
    let run = try budget(
      ["--handler", "2ms", "--route", "1ms", "no.json", "::stop-commands::x", "##[error]x", "bad.json", "a.json"],
      ["bad.json": Data("{\"traceEvents\":[".utf8), "a.json": try trace(3)])
    #expect(run.status == 2)
    let expected: [String] = [
      "no.json: error: cannot be opened: No such file or directory [unreadable-file]",
      // Without the prefix, the lines would be commands of GitHub Actions.
      "./::stop-commands::x: error: cannot be opened: No such file or directory [unreadable-file]",
      "./##[error]x: error: cannot be opened: No such file or directory [unreadable-file]",
      "bad.json: error: not a trace of modules: it isn't JSON; write it with 'LifecycleTimeline.chromeTrace()'"
        + " [malformed-trace]",
      "a.json: error: Cart/Step.swift:3:1: its handler of 'budget.step' took 3ms, and the limit is 2ms; make it"
        + " faster, or raise the limit [over-budget]",
      "note: --route 1ms: no trace has an opened route, so the option has no effect; remove it, or record that work"
        + " [nothing-selected]",
    ]
    #expect(run.errors.split(separator: "\n").map(String.init) == expected)
  }

  @Test(arguments: ["--handler=2", "--start=Cart=2ms", "--module=-2ms"])
  func `an invalid limit is a usage error`(option: String) throws {
    let run = try budget([option, "a.json"], [:])
    #expect(run.status == 2 && run.output == "")
    #expect(run.errors.contains("which is no limit; write it like '") && run.errors.hasSuffix("[usage]\n"))
  }
}
