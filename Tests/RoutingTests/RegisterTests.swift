import Registry
import Routing
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct RegisterTests {
  let problems = DiagnosticCollector()

  @Test func `a token removes its handler, and an unused token keeps its handler registered`() async throws {
    let router = Router(onDiagnostic: problems.handler)
    _ = router.register(.home) { "home" }
    let token = router.register(.order) { _ in "order" }
    #expect(router.routes.map(\.id) == ["test.home", "test.order"])
    #expect(router.canOpen(url("shop://order/7"), from: .local) != nil)
    #expect(token.cancel())
    #expect(router.canOpen(url("shop://order/7"), from: .local) == nil && !token.cancel())
    #expect(router.routes.map(\.id) == ["test.home"])
    await #expect(throws: RouteError.self) { try await router.open(.order, OrderLink(id: 1)) }
    #expect(try await router.open(.home) == "home")
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `a second handler is reported with both locations, and replaces the first when that is removed`()
    async throws
  {
    let router = Router(onDiagnostic: problems.handler)
    let first = router.register(.home) { "first" }
    let line = #line + 1
    let second = router.register(.home) { "second" }
    let third = router.register(Route<Void, Int>("test.home")) { 3 }
    #expect(try await router.open(.home) == "first")
    #expect(problems.diagnostics.map(\.code) == [.duplicate, .duplicate])
    #expect(problems.diagnostics[0].subject.hasPrefix("RoutingTests/RegisterTests.swift:\(line):"))
    #expect(problems.diagnostics[0].message.contains("RoutingTests/RegisterTests.swift:\(line - 2):"))
    #expect(problems.diagnostics[0].message.hasSuffix("; cancel its token, in 'tearDown' if a module registered it"))
    #expect(problems.diagnostics[1].message.contains("with different types"))
    #expect(first.cancel())
    #expect(try await router.open(.home) == "second")
    #expect(second.cancel())
    #expect(try await router.open(Route<Void, Int>("test.home")) == 3)
    #expect(third.cancel() && router.routes.isEmpty)
  }

  @Test func `canceling a token releases the handler's closure`() {
    final class Held: Sendable {}
    let router = Router()
    weak var weakHeld: Held?
    let token: RegistrationToken
    do {
      let held = Held()
      weakHeld = held
      token = router.register(.home) { "\(held)" }
    }
    #expect(weakHeld != nil)
    token.cancel()
    #expect(weakHeld == nil)
  }

  @Test func `tokens and errors do not keep their router alive`() async {
    weak var router: Router?
    let (tokens, errors): ([RegistrationToken], [RouteError?])
    do {
      let own = Router()
      router = own
      tokens = [
        own.register(.home) { "home" }, own.registerAction("tests", "act") { 1 }, own.intercept { _ in .proceed },
        own.onNotFound { _ in nil }, own.observe { _ in },
      ]
      errors = [
        await #expect(throws: RouteError.self) { try await own.open(.login) },
        await #expect(throws: RouteError.self) { try await own.open(url("shop://none"), from: .remote) },
      ]
    }
    #expect(router == nil)
    #expect(tokens.allSatisfy { !$0.cancel() })
    withExtendedLifetime(errors) {}
  }

  @Test func `a removed route is not suggested, and a router without routes says so`() async {
    let router = Router()
    router.register(.home) { "home" }.cancel()
    let error = await #expect(throws: RouteError.self) { try await router.open(Route<Void, String>("test.hme")) }
    #expect(error?.kind == .notFound(nearest: nil))
    #expect(error?.description.contains("its router reads no records") == true, "\(error as Any)")
  }

  @Test func `an interceptor's closure is released outside the router's lock`() {
    final class Held: Sendable {
      let (router, trace): (Router, Trace)
      init(_ router: Router, _ trace: Trace) { (self.router, self.trace) = (router, trace) }
      deinit { trace.add("\(router.routes.count) routes") }
    }
    let (router, trace) = (Router(), Trace())
    func intercept() -> RegistrationToken {
      let held = Held(router, trace)
      return router.intercept { _ in held.trace.lines.isEmpty ? .proceed : .reject("") }
    }
    let token = intercept()
    #expect(trace.lines.isEmpty)
    #expect(token.cancel())
    #expect(trace.lines == ["0 routes"])
  }

  @Test func `threads that register and cancel leave consistent routes, and each request gets a whole result`()
    async throws
  {
    let router = Router(onDiagnostic: problems.handler)
    router.register(.home) { "home" }
    let rounds = Effort.count("ROUTE_ROUNDS", default: 200)
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<4 {
        group.addTask {
          for round in 0..<rounds {
            let route = Route<Word, String>("test.worker", [#pattern("shop://worker/:word")])
            let token = router.register(route) { parameters in "\(worker) \(round) \(parameters.word)" }
            if let text: String = try? await router.object(for: url("shop://worker/x"), from: .local) {
              #expect(text.hasSuffix(" x"))
            }
            let home = try? await router.object(for: url("shop://home"), as: String.self, from: .local)
            #expect(home == "home")
            #expect(token.cancel())
          }
        }
      }
    }
    #expect(router.routes.map(\.id) == ["test.home"] && router.canOpen(url("shop://worker/x"), from: .local) == nil)
    #expect(Set(problems.codes).subtracting([.duplicate]).isEmpty)
  }

  @Test func `simultaneous first scans on many threads find every route`() {
    for _ in 0..<Effort.count("ROUTE_FIRST_LOOKS", default: 50) {
      let router = Router(records: ExportedRouteTests.records) { problem in
        if problem.code != .unreadRoute { Issue.record("\(problem)") }
      }
      let counts = Locked([Int](repeating: 0, count: 4))
      onThreads(4) { number in
        let count = router.routes.count + (router.canOpen(url("exp://closure/7"), from: .remote) == nil ? 0 : 100)
        counts.withLock { $0[number] = count }
      }
      #expect(counts.withLock { $0 } == [120, 120, 120, 120])
    }
  }
}
