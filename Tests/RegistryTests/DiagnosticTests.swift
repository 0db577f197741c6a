import Registry
import TestSupport
import Testing

@Suite struct DiagnosticTests {
  private func diagnostic(_ number: Int) -> Diagnostic {
    Diagnostic(severity: .warning, code: .tie, subject: "S\(number)", image: nil, message: "m")
  }

  @Test func `the description of a long cycle has its beginning and its end`() {
    let steps = (0..<25).map { "S\($0)" }
    let names = steps.map { "'\($0)'" }
    let spelledOut = steps.spelledOut { $0.quotedForDisplay() }
    #expect(Array(steps.prefix(20)).spelledOut { $0.quotedForDisplay() } == names.prefix(20).joined(separator: " → "))
    #expect(spelledOut == (names.prefix(10) + ["… 5 more …"] + names.suffix(10)).joined(separator: " → "))
  }

  @Test func `a log keeps a limited number of diagnostics, and still reports every new one`() {
    let told = DiagnosticCollector()
    let log = DiagnosticLog(handler: told.handler)
    for number in 0..<DiagnosticLog.limit + 5 { log.report(diagnostic(number)) }
    #expect(told.diagnostics.count == DiagnosticLog.limit + 5)
    #expect(log.diagnostics == (0..<DiagnosticLog.limit).map(diagnostic))

    log.report(diagnostic(0))
    #expect(told.diagnostics.count == DiagnosticLog.limit + 5, "it is known")
    log.report(diagnostic(0), always: true)
    log.report(diagnostic(DiagnosticLog.limit))
    #expect(told.diagnostics.count == DiagnosticLog.limit + 7)
    #expect(log.diagnostics.count == DiagnosticLog.limit)
  }

  @Test func `an equal diagnostic is reported once, or always on request`() {
    let told = DiagnosticCollector()
    let log = DiagnosticLog(handler: told.handler)
    log.report([diagnostic(1), diagnostic(1), diagnostic(2)])
    log.report(diagnostic(2), always: true)
    #expect(told.diagnostics == [1, 2, 2].map(diagnostic) && log.diagnostics == [1, 2].map(diagnostic))
    let copy = DiagnosticLog(copying: log)
    copy.report(diagnostic(1))
    copy.report(diagnostic(3))
    #expect(told.diagnostics.count == 4 && log.diagnostics.count == 2 && copy.diagnostics.count == 3)
  }

  @Test func `a handler is released outside the log's lock`() {
    final class Held: Sendable {
      let log: DiagnosticLog
      init(_ log: DiagnosticLog) { self.log = log }
      func hear(_ diagnostic: Diagnostic) {}
      deinit { log.report(Diagnostic(severity: .warning, code: .tie, subject: "last", image: nil, message: "m")) }
    }
    let log = DiagnosticLog(handler: { _ in })
    log.handler = Held(log).hear
    log.handler = { _ in }
    #expect(log.diagnostics.map(\.subject) == ["last"])
  }

  @Test func `a kind is printed as its characters or its number`() {
    #expect("\(RecordKind.module) \(RecordKind.service)" == "modu serv")
    #expect("\(RecordKind(rawValue: 0x6d6f_6407))" == "0x6d6f6407")
  }
}
