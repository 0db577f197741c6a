import Registry
import Routing
import TestSupport
import Testing

@Suite struct ReportTests {
  @Test func `a report lists the routes and actions`() {
    let router = Router(onDiagnostic: DiagnosticCollector().handler)
    router.register(.home, fileID: "Shop/Home.swift", line: 3, column: 1) { _ in "home" }
    let report = router.report()
    #expect(router.routes.count == 1)
    #expect(
      report.description == """
        Routes:
          \(router.routes[0])
        Actions:
          none
        Records:
          none
        Diagnostics:
          none

        """)
  }
}
