import Registry
import Routing
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct HandOffTests {
  let problems = DiagnosticCollector()

  private func router() -> Router {
    let router = Router(onDiagnostic: problems.handler)
    router.register(.public_) { parameters in "public \(parameters.word)" }
    router.register(.secret) { parameters, request in "secret \(parameters.word) \(request.origin) \(request.redirects)"
    }
    router.register(.login) { "login" }
    return router
  }

  @Test func `a link from outside leads to the internal login`() async throws {
    let router = router()
    router.intercept { request in request.routeID == "test.public" ? .handOff(.login) : .proceed }
    let outcome = try await router.open(url("shop://public/x"), from: .remote)
    #expect(outcome.request.routeID == "test.login" && outcome.value as? String == "login")
    #expect(outcome.request.origin == .local && outcome.request.redirects == ["shop://public/x"])
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `a link that is handed off passes its parameters and values on`() async throws {
    let router = router()
    router.intercept { request in
      guard let word = request.parameters(of: .public_) else { return .proceed }
      return .handOff(.secret, word)
    }
    let text = try await router.object(for: url("shop://public/x"), as: String.self, from: .remote)
    #expect(text == "secret x local [\"shop://public/x\"]")
    #expect(try await router.open(.public_, Word(word: "y")) == "secret y local [\"test.public\"]")
  }

  @Test func `a link that is handed off can be redirected to internal routes again`() async throws {
    let router = router()
    router.intercept { request in
      switch request.routeID {
      case "test.public": .handOff(.login)
      case "test.login": .redirect(.secret, Word(word: "z"))
      default: .proceed
      }
    }
    #expect(try await router.open(url("shop://public/x"), from: .remote).request.routeID == "test.secret")
  }

  @Test func `a link that is handed off to a missing route fails with its own URL only`() async throws {
    let router = router()
    router.intercept { request in request.routeID == "test.public" ? .handOff(Route<Void, Int>("test.logn")) : .proceed
    }
    let error = await #expect(throws: RouteError.self) {
      try await router.open(url("shop://public/x"), from: .remote)
    }
    #expect(error?.kind == .notFound(nearest: nil) && error?.target == "shop://public/x" && error?.reason == nil)
  }

  @Test func `a hand-off counts as a redirection`() async throws {
    let router = router()
    router.intercept { _ in .handOff(.login) }
    let error = await #expect(throws: RouteError.self) { try await router.open(url("shop://public/x"), from: .local) }
    guard case .redirectLoop(let chain) = error?.kind else { throw error ?? Broken(word: "no error") }
    #expect(chain.count == 18 && chain.last == "test.login")
  }

  @Test func `a link from outside that is handed off in circles learns no internal route`() async throws {
    let router = router()
    router.intercept { _ in .handOff(.login) }
    #expect(await error(of: router).contains("too many redirections: 'shop://public/x';"))
  }

  @Test func `a link from outside does not learn which internal route rejects or declines it`() async throws {
    let router = router()
    router.intercept { request in
      switch request.routeID {
      case "test.public": .handOff(.secret, Word(word: "x"))
      default: request.origin == .local ? .reject("closed") : .proceed
      }
    }
    #expect(await error(of: router).hasPrefix("an interceptor rejected 'shop://public/x': closed"))
    let declining = Router()
    declining.register(.public_) { _ in "public" }
    declining.register(.login) { throw RouteError.declined("no login") }
    declining.intercept { request in request.routeID == "test.public" ? .handOff(.login) : .proceed }
    #expect(await error(of: declining).hasPrefix("the request for 'shop://public/x' was declined"))
  }

  @Test func `a link from outside does not learn the types of an internal route`() async throws {
    let router = router()
    router.intercept { request in
      request.routeID == "test.public" ? .handOff(Route<Word, Int>("test.login"), Word(word: "x")) : .proceed
    }
    #expect(await error(of: router).hasPrefix("no route opens 'shop://public/x'"))
    let other = self.router()
    other.intercept { request in request.routeID == "test.public" ? .handOff(.login) : .proceed }
    let error = await #expect(throws: RouteError.self) {
      try await other.object(for: url("shop://public/x"), as: Int.self, from: .remote)
    }
    #expect(error?.kind == .wrongType(expected: "Int", found: "another type") && error?.target == "shop://public/x")
  }

  /// Returns the description of the error with which a link from outside fails.
  private func error(of router: Router) async -> String {
    let error = await #expect(throws: RouteError.self) { try await router.open(url("shop://public/x"), from: .remote) }
    return error?.description ?? ""
  }
}
