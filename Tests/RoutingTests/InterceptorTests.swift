import Foundation
import Registry
import Routing
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct InterceptorTests {
  let problems = DiagnosticCollector()
  let trace = Trace()

  private func router() -> Router {
    let (router, trace) = (Router(onDiagnostic: problems.handler), trace)
    router.register(.secret) { parameters, request in
      trace.add("handler \(request.redirects)")
      return "secret \(parameters.word)"
    }
    router.register(.home) { "home" }
    router.register(.login) {
      trace.add("login")
      return "login"
    }
    return router
  }

  @Test func `interceptors are called by priority, and then in the order in which they were added`()
    async throws
  {
    let (router, trace) = (router(), trace)
    for (name, priority) in [("b", 0), ("c", 0), ("d", -1), ("a", 5)] {
      router.intercept(priority: priority) { request in
        trace.add("\(name) \(request.routeID ?? "")")
        return .proceed
      }
    }
    _ = try await router.open(.secret, Word(word: "x"))
    #expect(trace.lines == ["a test.secret", "b test.secret", "c test.secret", "d test.secret", "handler []"])
  }

  @Test func `an interceptor receives the parameters and the values of the handler`() async throws {
    let router = router()
    router.intercept { request in
      #expect(request.parameters(of: .secret) == Word(word: "x"))
      #expect(request.parameters(of: .order) == nil && request.parameters(of: .home) == nil)
      return request.values[.animated] == true ? .reject("no animation") : .proceed
    }
    #expect(try await router.open(.secret, Word(word: "x")) == "secret x")
    #expect(try await router.object(for: url("shop://secret/x"), from: .local) == "secret x")
    await #expect(throws: RouteError.self) {
      try await router.open(.secret, Word(word: "x"), values: RouteValues { $0[.animated] = true })
    }
  }

  @Test func `a rejection ends the request with its reason, and nothing else is called`()
    async throws
  {
    let (router, trace) = (router(), trace)
    let token = router.intercept { _ in .reject("not today") }
    router.intercept { _ in
      trace.add("second")
      return .proceed
    }
    let error = await #expect(throws: RouteError.self) { try await router.open(.secret, Word(word: "x")) }
    #expect(error?.code == "route-rejected" && error?.target == "test.secret" && error?.reason == "not today")
    #expect(trace.lines.isEmpty)
    #expect(token.cancel() && !token.cancel())
    #expect(try await router.open(.secret, Word(word: "x")) == "secret x")
    #expect(trace.lines == ["second", "handler []"])
  }

  @Test func `errors of an interceptor are rethrown`() async throws {
    let router = router()
    router.intercept { _ in throw Broken(word: "interceptor") }
    await #expect(throws: Broken.self) { try await router.open(.home) }
  }

  @Test func `a redirection opens the other route instead, and interceptors are called again`()
    async throws
  {
    let (router, trace) = (router(), trace)
    router.intercept { request in
      trace.add(request.routeID ?? "")
      return request.routeID == "test.home" ? .redirect(url("shop://secret/z")) : .proceed
    }
    #expect(try await router.open(.home) == "secret z")
    let outcome = try await router.open(url("shop://home"), from: .local)
    #expect(outcome.request.routeID == "test.secret" && outcome.request.url == url("shop://secret/z"))
    #expect(outcome.request.redirects == ["shop://home"] && outcome.request.pathParameters == ["word": "z"])
    #expect(
      trace.lines == [
        "test.home", "test.secret", "handler [\"test.home\"]", "test.home", "test.secret", "handler [\"shop://home\"]",
      ])
  }

  @Test func `a redirection skips the remaining interceptors, and keeps the values and the path`()
    async throws
  {
    let (router, trace) = (router(), trace)
    router.register(.order) { parameters, request in "\(request.values[.animated] as Any) \(request.redirects)" }
    router.intercept { request in
      switch request.routeID {
      case "test.home": .redirect(url("shop://secret/z"))
      case "test.secret": .redirect(.order, OrderLink(id: 7))
      default: .proceed
      }
    }
    router.intercept { request in
      trace.add(request.routeID ?? "")
      return request.routeID == "test.order" ? .proceed : .redirect(.login)
    }
    let made = try await router.open(.home, values: RouteValues { $0[.animated] = true })
    #expect(made == #"Optional(true) ["test.home", "shop://secret/z"]"#)
    #expect(trace.lines == ["test.order"])
  }

  @Test func `a redirection to a route with another outcome is an error`() async throws {
    let router = router()
    router.register(.ping) {}
    router.intercept { request in request.routeID == "test.home" ? .redirect(.ping) : .proceed }
    let error = await #expect(throws: RouteError.self) { try await router.open(.home) }
    #expect(error?.kind == .wrongType(expected: "String", found: "()") && error?.target == "test.ping")
    #expect(try await router.open(url("shop://home"), from: .local).request.routeID == "test.ping")
  }

  @Test func `endless redirections are an error that shows the path`() async throws {
    let router = router()
    router.intercept { request in
      request.routeID == "test.home" ? .redirect(.secret, Word(word: "x")) : .redirect(.home)
    }
    let error = await #expect(throws: RouteError.self) { try await router.open(.home) }
    guard case .redirectLoop(let chain) = error?.kind else { throw error ?? Broken(word: "no error") }
    #expect(chain.count == 18 && chain.prefix(3) == ["test.home", "test.secret", "test.home"])
    #expect(error?.description.contains("'test.home' → 'test.secret'") == true)
  }

  @Test func `the error for too many redirections does not name an internal route to remote callers`() async throws {
    let router = Router(onDiagnostic: { _ in })
    router.register(.public_) { _ in "" }
    router.register(.secret) { _ in "" }
    router.intercept { request in
      let count = request.redirects.count
      return count < 16 ? .redirect(.public_, Word(word: "\(count)")) : .redirect(.secret, Word(word: "x"))
    }
    let error = await #expect(throws: RouteError.self) { try await router.open(url("shop://public/x"), from: .remote) }
    #expect(error?.kind == .notFound(nearest: nil) && error?.target == "shop://public/x" && error?.reason == nil)
  }

  @Test func `an interceptor can open a log-in route, wait for it, and proceed`() async throws {
    let (router, trace) = (router(), trace)
    let isLoggedIn = Counter()
    router.intercept { [weak router] request in
      guard request.routeID != "test.login", isLoggedIn.value == 0 else { return .proceed }
      _ = try await router?.open(.login)
      isLoggedIn.increment()
      return .proceed
    }
    #expect(try await router.open(.secret, Word(word: "x")) == "secret x")
    #expect(try await router.open(.secret, Word(word: "y")) == "secret y")
    #expect(trace.lines == ["login", "handler []", "handler []"])
  }

  @Test func `a handler that is removed while interceptors wait is not called`() async throws {
    let router = Router(onDiagnostic: problems.handler)
    let token = router.register(.home) { "first" }
    router.intercept { _ in
      token.cancel()
      return .proceed
    }
    let error = await #expect(throws: RouteError.self) { try await router.open(.home) }
    #expect(error?.code == "route-not-found" && error?.target == "test.home" && error?.reason == nil)
    router.register(.home) { "second" }
    #expect(try await router.open(.home) == "second")
  }

  @Test func `an interceptor that replaces its route's handler endlessly is an error`() async throws {
    let (router, calls) = (Router(onDiagnostic: problems.handler), Counter())
    let token = Locked(router.register(.home) { "0" })
    func replaceHandler(_ limit: Int) -> RegistrationToken {
      router.intercept { request in
        let count = calls.increment()
        if count > 100 { throw Broken(word: "endless") }
        if count <= limit {
          token.withLock {
            $0.cancel()
            $0 = request.router.register(.home) { "\(count) \(request.redirects)" }
          }
        }
        return .proceed
      }
    }
    let interceptor = replaceHandler(.max)
    let error = await #expect(throws: RouteError.self) { try await router.open(.home) }
    #expect(error?.code == "redirect-loop" && error?.target == "test.home" && calls.value == 17)
    #expect(error?.description.hasPrefix("the handler of 'test.home' was replaced 17 times while ") == true)
    let now = await #expect(throws: RouteError.self) {
      try await router.synchronousObject(for: url("shop://home"), as: String.self, from: .local)
    }
    #expect(now?.code == "redirect-loop" && calls.value == 34)
    interceptor.cancel()
    _ = replaceHandler(calls.value + 16)
    #expect(try await router.open(.home) == "50 []")
  }

  // MARK: - Not found

  @Test func `handlers for unknown routes are called from the newest to the first that answers`() async throws {
    let (router, trace) = (router(), trace)
    router.onNotFound { request in
      trace.add("first \(request.origin)")
      return "page for \(request.url?.absoluteString ?? request.routeID ?? "")"
    }
    let token = router.onNotFound { request in
      trace.add("second")
      return request.url?.host == "stop" ? 404 : nil
    }
    let outcome = try await router.open(url("shop://nowhere"), from: .remote)
    #expect(outcome.value as? String == "page for shop://nowhere" && outcome.request.routeID == nil)
    #expect(try await router.open(url("shop://stop"), from: .local).value as? Int == 404)
    #expect(trace.lines == ["second", "first remote", "second"])
    let observer = router.onNotFound { trace.add("observed \($0.origin)") }
    #expect(try await router.open(url("shop://stop"), from: .local).value as? Int == 404)
    #expect(trace.lines.suffix(2) == ["observed local", "second"])
    observer.cancel()
    token.cancel()
    #expect(try await router.object(for: url("shop://stop"), from: .local) == "page for shop://stop")
    #expect(try await router.open(Route<Void, String>("test.unknown")) == "page for test.unknown")
    let unknown = [
      await #expect(throws: RouteError.self) { try await router.open(Route<Void, Int>("test.unknown")) },
      await #expect(throws: RouteError.self) {
        try await router.object(for: url("shop://unknown"), as: Int.self, from: .local)
      },
    ]
    #expect(unknown.map { $0?.kind } == [.notFound(nearest: nil), .notFound(nearest: nil)])
    #expect(unknown.map { $0?.target } == ["test.unknown", "shop://unknown"])
  }

  @Test func `a closure's response with another type leaves the error of a redirected or declined request`() async {
    let router = router()
    router.register(.public_) { _ in "" }
    router.register(.ping) { throw RouteError.declined("no ping") }
    router.intercept { $0.routeID == "test.ping" ? .proceed : .redirect(Route<Void, String>("test.unknown")) }
    router.onNotFound { _ in 404 }
    let error = await #expect(throws: RouteError.self) { try await router.open(.home) }
    #expect(error?.code == "route-not-found")
    #expect(error?.description.hasPrefix("no route opens 'test.unknown', to which an interceptor redirected") == true)
    let remote = await #expect(throws: RouteError.self) {
      try await router.object(for: url("shop://public/x"), as: String.self, from: .remote)
    }
    #expect(remote?.code == "route-not-found" && remote?.target == "shop://public/x")
    #expect(remote?.description.contains("unknown") == false)
    let declined = await #expect(throws: RouteError.self) { try await router.open(.ping) }
    #expect(declined?.code == "route-declined" && declined?.reason == "no ping")
  }

  // MARK: - Observers

  @Test func `an observer receives the start and the result of each request, with the router's time`()
    async throws
  {
    let (time, trace) = (ManualTime(), trace)
    let router = Router(onDiagnostic: problems.handler, now: { time.now })
    router.register(.home) { () -> String in
      time.advance(by: 250)
      return "home"
    }
    router.intercept { request in request.routeID == "test.ping" ? .redirect(url("shop://home")) : .proceed }
    router.register(.ping) {}
    let token = router.observe { observation in
      let what = observation.request.url?.absoluteString ?? observation.request.routeID ?? ""
      let nanoseconds = observation.nanoseconds
      switch observation.result {
      case nil: trace.add("\(observation.id) \(what) began")
      case .success(let outcome)?:
        let route = outcome.request.routeID ?? ""
        trace.add("\(observation.id) \(what) ended in \(nanoseconds): \(route) \(outcome.value)")
      case .failure(let error)?:
        trace.add(
          "\(observation.id) \(what) failed in \(nanoseconds): \((error as? RouteError).map { "\($0)".prefix(12) } ?? "")"
        )
      }
    }
    router.observe { if $0.result == nil { time.advance(by: 7) } }
    try await router.open(.home)
    try await router.open(url("shop://ping"), from: .local)
    _ = try? await router.open(url("shop://nowhere"), from: .remote)
    #expect(
      trace.lines == [
        "1 test.home began", "1 test.home ended in 250: test.home home", "2 shop://ping began",
        "2 shop://ping ended in 250: test.home home", "3 shop://nowhere began",
        "3 shop://nowhere failed in 0: no route ope",
      ])
    token.cancel()
    try await router.open(.home)
    #expect(trace.lines.count == 6)
  }

  @Test func `an observer receives the end of each request whose beginning it received, and no other`() async throws {
    let (router, trace) = (Router(), trace)
    let token = router.observe { trace.add($0.result == nil ? "began" : "ended") }
    router.register(.home) { (_: Void, request: RouteRequest) -> String in
      token.cancel()
      request.router.observe { _ in trace.add("late") }
      return "home"
    }
    try await router.open(.home)
    #expect(trace.lines == ["began", "ended"])
  }

  @Test func `a clock that goes back gives a duration of zero`() async throws {
    let (time, trace) = (Counter(), trace)
    let router = Router(now: { UInt64(100 - time.increment()) })
    router.register(.home) { "home" }
    router.observe { observation in
      if observation.result != nil { trace.add("\(observation.nanoseconds)") }
    }
    try await router.open(.home)
    #expect(trace.lines == ["0"])
  }

  @Test func `the interval of a request has the route as its name at the end`() async throws {
    let (router, trace) = (Router(onDiagnostic: problems.handler), trace)
    router.register(.home) { "home" }
    router.onNotFound { request in request.origin == .local ? "a page" : nil }
    let token = router.observeIntervals { interval in
      #expect(interval.isConcurrent && interval.kind == "route" && interval.image == nil)
      trace.add("\(interval.id) \(interval.name) \(interval.hasEnded ? "ended" : "began")")
    }
    try await router.open(.home)
    _ = try await router.open(url("shop://nowhere"), from: .local)
    _ = try? await router.open(url("shop://nowhere"), from: .remote)
    #expect(try await router.open(Route<Void, String>("test.unknown")) == "a page")
    #expect(
      trace.lines == [
        "1  began", "1 test.home ended", "2  began", "2 (not found) ended", "3  began", "3 (failed) ended",
        "4  began", "4 (not found) ended",
      ])
    #expect(token.cancel() && !token.cancel())
    try await router.open(.home)
    #expect(trace.lines.count == 8)
  }

  @Test func `a nested request has its own number`() async throws {
    let (router, trace) = (Router(), trace)
    router.register(.home) { [weak router] in (try await router?.open(.login) ?? "nobody") + " at home" }
    router.register(.login) { "login" }
    router.observe { observation in
      if observation.result != nil {
        trace.add("end \(observation.id)")
      } else {
        trace.add("begin \(observation.id)")
      }
    }
    #expect(try await router.open(.home) == "login at home")
    #expect(trace.lines == ["begin 1", "begin 2", "end 2", "end 1"])
  }
}
