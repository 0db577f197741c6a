import Foundation
import Registry
import Routing
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct RemoteTests {
  let problems = DiagnosticCollector()

  private func router() -> Router {
    let router = Router(onDiagnostic: problems.handler)
    router.register(.secret) { parameters in "secret \(parameters.word)" }
    router.register(.public_) { parameters in "public \(parameters.word)" }
    router.register(.home) { "home" }
    return router
  }

  @Test(arguments: [
    "shop://secret/x", "SHOP://secret/x", "shop://SECRET/x", "shop://s%65cret/x", "shop://secret/x/",
    "shop://user@secret/x",
    "shop://user:pw@secret/x", "shop://secret/x?origin=local&access=remote", "shop://secret/x#local",
    "shop://secret/%78",
    "shop://public/../secret/x", "shop://public/..%2Fsecret", "shop://secret:80/x", "shop://secret./x",
    "shop:///secret/x",
    "shop:secret/x", "shop://public@secret/x", "shop://home", "shop://secret/./x", "shop://secret//x",
  ])
  func `a remote URL reaches no internal route in any spelling`(text: String) async throws {
    let router = router()
    guard let url = URL(string: text) else { return }
    do {
      let outcome = try await router.open(url, from: .remote)
      #expect(outcome.request.routeID == "test.public", "\(outcome)")
    } catch let error as RouteError {
      #expect(error.kind == .notFound(nearest: nil) && error.target == text && error.reason == nil)
    }
    #expect(router.canOpen(url, from: .remote)?.routeID != "test.secret")
  }

  @Test func `a remote request opens a remote route, and the handler receives the origin`() async throws {
    let router = Router()
    router.register(.public_) { parameters, request in "\(parameters.word) \(request.origin)" }
    #expect(try await router.object(for: url("shop://public/x"), from: .remote) == "x remote")
    #expect(try await router.object(for: url("shop://public/x"), from: .local) == "x local")
  }

  @Test func `an internal route looks missing to a remote request, and the app is notified`()
    async throws
  {
    let router = router()
    func message(_ text: String) async -> String {
      let error = await #expect(throws: RouteError.self) { try await router.open(url(text), from: .remote) }
      return "\(error.map { "\($0)" } ?? "")".replacingOccurrences(of: text, with: "URL")
    }
    let (own, unknown, bad) = (
      await message("shop://secret/x"), await message("shop://nowhere/x"), await message("shop://home")
    )
    #expect(own == unknown && own == bad)
    #expect(problems.diagnostics.map(\.code) == [.notRemote, .notRemote])
    #expect(problems.diagnostics.map(\.subject) == ["test.secret", "test.home"])
    #expect(problems.diagnostics.first?.message.contains("access: .remote") == true)
  }

  #if DEBUG
  @Test func `code that only asks whether a remote URL opens is told about an internal route`() {
    let router = router()
    for text in ["shop://public/x", "shop://secret/x", "shop://nowhere/x", "shop://secret/x"] {
      _ = (router.canOpen(url(text), from: .remote), router.canOpen(url(text), from: .local))
    }
    // A URL with a remote match reports nothing either, even if the match can't be decoded.
    router.register(Route<OrderLink, String>("test.any", [#pattern("shop:**")], access: .remote)) { _ in "" }
    #expect(router.canOpen(url("shop://home"), from: .remote) == nil)
    #expect(problems.codes == [.notRemote] && problems.diagnostics[0].subject == "test.secret")
  }
  #endif

  @Test func `a redirection of a remote request reaches no internal route`() async throws {
    for (name, decision) in [
      ("URL", RouteDecision.redirect(url("shop://secret/x"))), ("route", .redirect(.secret, Word(word: "x"))),
      ("route without parameters", .redirect(.home)),
    ] {
      let router = router()
      let token = router.intercept { request in request.redirects.isEmpty ? decision : .proceed }
      let error = await #expect(throws: RouteError.self, "\(name)") {
        try await router.open(url("shop://public/x"), from: .remote)
      }
      // The error does not reveal the nearest route either.
      #expect(error?.kind == .notFound(nearest: nil) && error?.target == "shop://public/x" && error?.reason == nil)
      #expect(try await router.open(url("shop://public/x"), from: .local).request.routeID != "test.public")
      token.cancel()
      #expect(try await router.open(url("shop://public/x"), from: .remote).request.routeID == "test.public")
    }
    #expect(problems.diagnostics.first?.message.contains("'.handOff(route)'") == true)
  }

  @Test func `a redirected remote request stays remote`() async throws {
    let router = Router()
    router.register(.public_) { _ in "public" }
    router.register(.order) { parameters, request in "\(parameters.id) \(request.origin)" }
    for decision in [RouteDecision.redirect(url("shop://order/7")), .redirect(.order, OrderLink(id: 7))] {
      let token = router.intercept { request in request.redirects.isEmpty ? decision : .proceed }
      #expect(try await router.object(for: url("shop://public/x"), from: .remote) == "7 remote")
      #expect(try await router.object(for: url("shop://public/x"), from: .local) == "7 local")
      token.cancel()
    }
  }

  @Test func `an internal fallback matches no remote request, and a remote fallback does`() async throws {
    let router = router()
    router.register(Route<Void, String>("test.own", [#pattern("shop:**")])) { "own" }
    await #expect(throws: RouteError.self) { try await router.open(url("shop://secret/x"), from: .remote) }
    #expect(try await router.object(for: url("shop://nowhere"), from: .local) == "own")
    router.register(Route<Void, String>("test.all", [#pattern("shop://*/**")], access: .remote)) { "all" }
    #expect(try await router.object(for: url("shop://secret/x"), from: .remote) == "all")
    #expect(try await router.object(for: url("shop://secret/x"), from: .local) == "secret x")
  }
}
