import Foundation
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

  @Test func `a report lists interceptors, and those that were added again`() {
    let router = Router(onDiagnostic: DiagnosticCollector().handler)
    for _ in 1...2 { router.intercept(fileID: "Shop/Login.swift", line: 2) { _ in .proceed } }
    router.intercept(priority: 1, fileID: "Shop/First.swift", line: 3) { _ async in .proceed }
    router.onNotFound(fileID: "Shop/Web.swift", line: 4) { _ in nil }
    let report = router.report().description
    #expect(
      report.contains(
        """
        Interceptors, in calling order:
          1. 'Shop/First.swift:3'
          2. 'Shop/Login.swift:2'
          3. 'Shop/Login.swift:2', added again at the same location; cancel the earlier token first
        """), "\(report)")
    #expect(report.contains("last one first:\n  1. 'Shop/Web.swift:4'\n"), "\(report)")
  }

  @Test func `a report lists the interceptors and the other closures of a parent's router`() {
    let parent = ServiceManager(onDiagnostic: DiagnosticCollector().handler)
    let child = ServiceManager(parent: ServiceManager(parent: parent))
    let router = child.router
    parent.router.intercept(fileID: "Shop/Outer.swift", line: 1) { _ in .proceed }
    parent.router.onNotFound(fileID: "Shop/Outer.swift", line: 2) { _ in nil }
    let told = (1...2).map { "'Shop/Outer.swift:\($0)' of another router gets no requests from this router; register" }
    withExtendedLifetime(child) {
      for line in told { #expect(router.report().description.contains(line)) }
    }
    for line in told { #expect(!parent.router.report().description.contains(line)) }
  }

  @Test func `names with control characters are escaped in the report and in messages`() throws {
    let problems = DiagnosticCollector()
    let router = Router(onDiagnostic: problems.handler)
    for id in ["tests.\u{1b}", "tests.\u{1b}", "tests.\u{1b}other"] {
      let route = Route<Void, Void>(id, [try RoutePattern("shop://escapes/\u{202e}")])
      router.register(route, fileID: "Shop/\u{7}.swift") {}
    }
    let texts = [router.report().description] + problems.diagnostics.map(\.message)
    #expect(problems.codes == [.duplicate, .ambiguousRoute])
    let controls: Set<Unicode.Scalar> = ["\u{1b}", "\u{7}", "\u{202e}"]
    for text in texts { #expect(controls.isDisjoint(with: text.unicodeScalars), "\(text.debugDescription)") }
  }

  @Test func `an error says that a required property is optional in the pattern`() async throws {
    struct Page: Codable { let name: String; let page: Int; let size: Int }
    let router = Router(onDiagnostic: DiagnosticCollector().handler)
    router.register(Route<Page, Void>("tests.page", [#pattern("shop://list/:name(/page/:page)")])) { _ in }
    try await router.open(url("shop://list/cups?page=2&size=3"), from: .local)
    for (text, reason) in [
      ("shop://list/cups", "'page', which is optional in the pattern; make the property optional, too"),
      (
        "shop://list/cups/page/2",
        "'size'; make the property optional if a URL can omit it, because the default of a property is not used"
      ),
    ] {
      let error = await #expect(throws: RouteError.self) { try await router.open(url(text), from: .local) }
      #expect(error?.reason == "missing value for \(reason)")
    }
  }

  @Test func `an action with a single value is told when it is registered and performed`() async {
    let problems = DiagnosticCollector()
    let router = Router(onDiagnostic: problems.handler)
    router.registerAction("orders", "show") { (id: Int) in id }
    let reason = "its handler takes the single value 'Int', but 'perform' passes named parameters; declare a"
    let error = await #expect(throws: RouteError.self) { try await router.perform("orders", "show", ["id": 7]) }
    #expect(error.map { "\($0)".contains(reason) } == true, "\(error as Any)")
    #expect(
      router.report().diagnostics.contains {
        $0.message.hasPrefix("no request can perform 'orders.show': \(reason)") && $0.code == .unusedParameter
      })
  }

  @Test func `two routes with one identifier are told to have two`() async {
    let problems = DiagnosticCollector()
    let router = Router(onDiagnostic: problems.handler)
    for pattern in [#pattern("shop://detail"), #pattern("shop://edit"), #pattern("shop://detail")] {
      router.register(Route<Void, Void>("tests.copied", [pattern])) {}
    }
    let told = ", with different patterns; if they are two routes, give each its own identifier; this one is ignored"
    #expect(problems.diagnostics.map { $0.message.contains(told) } == [true, false])
    let error = await #expect(throws: RouteError.self) { try await router.open(url("shop://edit"), from: .local) }
    let advice = "is ignored, because the route 'tests.copied' already has one"
    #expect(error.map { "\($0)".contains(advice) } == true, "\(error as Any)")
    // An ignored fallback matches every URL, so it's no reason for a misspelled one.
    router.register(Route<Void, Void>("tests.copied", [#pattern("shop:**")])) {}
    for (link, text) in [
      ("shop://detial", "did you mean 'shop://detail'?"), ("shop://edit", advice), ("shop://a/b/c", advice),
    ] {
      let error = await #expect(throws: RouteError.self) { try await router.open(url(link), from: .local) }
      #expect(error.map { "\($0)".contains(text) } == true, "\(error as Any)")
    }
  }

  @Test func `a redirection to an unknown URL states the target that was redirected`() async throws {
    let problems = DiagnosticCollector()
    let router = Router(onDiagnostic: problems.handler)
    router.register(Route<Void, Void>("tests.open", [#pattern("shop://open")], access: .remote)) {}
    router.intercept { _ in .redirect(url("shop://lgin")) }
    var error = await #expect(throws: RouteError.self) { try await router.open(Route<Void, Void>("tests.open")) }
    let told = "no route opens 'shop://lgin', to which an interceptor redirected 'tests.open'; "
    #expect(error.map { "\($0)".hasPrefix(told) } == true, "\(error as Any)")
    #expect(problems.diagnostics.isEmpty)
    // The caller outside the app receives no hints, so the app receives them.
    error = await #expect(throws: RouteError.self) { try await router.open(url("shop://open"), from: .remote) }
    #expect(error.map { !"\($0)".contains("lgin") } == true)
    #if DEBUG
    #expect(problems.diagnostics.map(\.subject) == ["shop://lgin"])
    #expect(problems.diagnostics[0].message.hasPrefix("an interceptor redirected 'shop://open' to it, but no route"))
    #else
    #expect(problems.diagnostics.isEmpty)
    #endif
  }
}
