import Foundation
import Registry
import Routing
import TestSupport
import TestWaits
import Testing

protocol Shelf: Sendable {
  var name: String { get }
}

private struct NamedShelf: Shelf {
  let name: String
}

extension Route where Parameters == Void, Outcome == String {
  fileprivate static var shelf: Self { .init("managers.shelf", [#pattern("mgr://shelf")], access: .remote) }
  fileprivate static var inner: Self { .init("managers.inner") }
}

#exportRoute(.shelf) { _, request in
  try await request.router.open(.inner) + " of " + request.services.createService(for: Shelf.self).name
}
#exportRoute(.inner) { _, request in request.origin == .local ? "inner" : "" }
#exportAction("managers", "shelf") { _, request in try request.services.createService(for: Shelf.self).name }
#exportAction("managers", "count") { (word: Word, request: RouteRequest) in
  try request.services.createService(for: Shelf.self).name + word.word
}

/// Tests of the routers that managers of services keep.
@Suite(.timeLimit(.minutes(20))) struct ManagerRouterTests {
  static let records = RecordSource.records { $0.handlerName?.contains("/ManagerRouterTests.swift:") == true }

  private func services(_ name: String) -> ServiceManager {
    let services = ServiceManager(records: Self.records)
    services.register(Shelf.self) { NamedShelf(name: name) }
    return services
  }

  @Test func `a manager has one router, and that of the shared manager is the shared one`() {
    #expect(ServiceManager.shared.router === Router.shared)
    let (one, two) = (services("a"), services("b"))
    #expect(one.router === one.router)
    #expect(one.router !== two.router)
    #expect(ServiceManager(parent: one).router !== one.router)
  }

  @Test func `handlers of two managers use the services and the router of their own`() async throws {
    for (name, services) in [("a", services("a")), ("b", services("b"))] {
      services.router.intercept { request in
        #expect(request.router === services.router)
        return .proceed
      }
      #expect(try await services.router.open(.shelf) == "inner of \(name)")
      #expect(try await services.router.object(for: url("mgr://shelf"), from: .remote) == "inner of \(name)")
      #expect(try await services.router.perform("managers", "shelf", as: String.self) == name)
      #expect(try await services.router.perform("managers", "count", ["word": "!"], as: String.self) == name + "!")
    }
  }

  @Test func `the diagnostics of a manager's router go to the manager, or to the closure of the router`() {
    let (first, second) = (DiagnosticCollector(), DiagnosticCollector())
    let services = ServiceManager(records: Self.records, onDiagnostic: first.handler)
    services.router.register(.shelf) { "second" }
    #expect(first.codes == ["duplicate"])
    services.router.onDiagnostic = second.handler
    services.router.register(.inner) { "second" }
    #expect(first.codes == ["duplicate"])
    #expect(second.codes == ["duplicate"])
  }

  @Test func `an interceptor that uses the router of its request keeps nothing alive`() async throws {
    weak var router: Router?
    do {
      let services = services("a")
      router = services.router
      services.router.intercept { request in
        if request.routeID == "managers.shelf" { _ = try await request.router.open(.inner) }
        return .proceed
      }
      #expect(try await services.router.open(.shelf) == "inner of a")
    }
    #expect(router == nil)
  }

  @Test func `registered actions receive the request`() async throws {
    let router = services("a").router
    let own = Router(services: services("b"), records: .none)
    own.registerAction("own", "one") { _, request in try request.services.createService(for: Shelf.self).name }
    own.registerAction("own", "two") { (word: Word, request: RouteRequest) in
      "\(word.word) \(request.origin) \(request.router === router)"
    }
    #expect(try await own.perform("own", "one", as: String.self) == "b")
    #expect(try await own.perform("own", "two", ["word": "x"], as: String.self) == "x local false")
  }

  @Test func `a router reads the records of its services, or the services read those of the router`() async throws {
    #expect(services("a").router.routes.filter { $0.action == nil }.map(\.id) == ["managers.inner", "managers.shelf"])
    #expect(Router(services: services("a"), records: .none).routes.isEmpty)
    #expect(Router(records: Self.records).routes.count == 4)
    let router = Router(services: services("b"), records: Self.records)
    #expect(try await router.open(.shelf) == "inner of b")
    #expect(Router().services.contains(Shelf.self) == false)
  }

  @Test func `a router that outlives its manager says so, and a request keeps the manager`() async throws {
    var services: ServiceManager? = services("a")
    let router = try #require(services?.router)
    services = nil
    let error = await #expect(throws: ServiceError.self) { try await router.open(.shelf) }
    #expect(error?.description.contains("released") == true, "\(error as Any)")

    var kept: ServiceManager? = self.services("c")
    let other = try #require(kept?.router)
    let (passed, gate) = AsyncStream.makeStream(of: Void.self)
    let (arrived, arrival) = AsyncStream.makeStream(of: Void.self)
    other.intercept { _ in
      arrival.finish()
      for await _ in passed {}
      return .proceed
    }
    async let outcome = other.open(.shelf)
    for await _ in arrived {}
    kept = nil
    gate.finish()
    #expect(try await outcome == "inner of c")

    let last = Locked<ServiceManager?>(self.services("d"))
    let third = try #require(last.withLock { $0?.router })
    third.registerAction("managers", "last") { (_: Void, request: RouteRequest) -> String in
      last.withLock { $0 = nil }
      return try request.services.createService(for: Shelf.self).name
    }
    #expect(try await third.perform("managers", "last", as: String.self) == "d")
  }

  @MainActor @Test func `a synchronous request keeps the manager`() throws {
    let last = Locked<ServiceManager?>(services("e"))
    let router = try #require(last.withLock { $0?.router })
    router.registerSynchronous(.home) { _, request in
      last.withLock { $0 = nil }
      return try request.services.createService(for: Shelf.self).name
    }
    #expect(try router.synchronousObject(for: url("shop://home"), as: String.self, from: .local) == "e")
  }

  @Test func `an interceptor that opens a route whose request it receives again is an error`() async throws {
    let router = Router()
    router.register(.login) { "in" }
    router.register(.home) { "home" }
    let token = router.intercept { request in
      _ = try await request.router.open(.login)
      return .proceed
    }
    #expect(
      await problem(router) { try await $0.open(.home) } == """
        200 requests wait for 'test.login', which is the limit; if a handler, an interceptor, or a closure of \
        'onNotFound' opens another request each time it receives one, let it return an outcome, or let the interceptor \
        proceed if 'request.parameters(of:)' is not nil for that route [redirect-loop]
        """)
    token.cancel()
    router.intercept { request in
      if request.parameters(of: .login) == nil { _ = try await request.router.open(.login) }
      return .proceed
    }
    for _ in 0..<40 { #expect(try await router.open(.home) == "home") }
    let other = Router()
    other.register(.secret) { $0.word }
    other.intercept { request in
      _ = try await request.router.open(url("\(request.url!)x"), from: .local)
      return .proceed
    }
    let problem = await problem(other) { try await $0.open(url("shop://secret/a"), from: .local) }
    #expect(problem.hasPrefix("200 requests wait for 'shop://secret/axxx"), "\(problem)")
  }

  @MainActor @Test func `a task that outlives the interceptor during which it began is not nested in it`()
    async throws
  {
    let isLoggedIn = Locked(false)
    let (router, logins, ended) = (Router(), Counter(), Counter())
    router.register(.home) { "home" }
    @MainActor func openHome() async throws {
      isLoggedIn.withLock { $0 = false }
      _ = try await router.open(.home)
      ended.increment()
    }
    var last: Task<Void, any Error>?
    router.register(.login) {
      isLoggedIn.withLock { $0 = true }
      let count = logins.increment()
      if count == 300 { return "in" }
      last = Task {
        try await until("the request with this login ends") { ended.value == count }
        try await openHome()
      }
      return "in"
    }
    router.intercept { request in
      if request.parameters(of: .home) != nil, !isLoggedIn.withLock({ $0 }) {
        _ = try await request.router.open(.login)
      }
      return .proceed
    }
    try await openHome()
    while let task = last.take() { try await task.value }
    #expect(logins.value == 300 && ended.value == 300)
  }

  // MARK: - Mistakes

  @Test func `a handler or a closure that opens its own target endlessly is an error`() async throws {
    let router = Router()
    router.register(.home) { _, request in try await request.router.open(.home) }
    router.registerSynchronous(.secret) { word, request in
      try request.router.synchronousObject(for: url("shop://secret/\(word.word)"), as: String.self, from: .local)
    }
    router.onNotFound { request in try await request.router.open(url("mgr://none"), from: .local).value }
    func says(_ target: String, _ count: String = "200") -> String {
      """
      \(count) requests wait for '\(target)', which is the limit; if a handler, an interceptor, or a closure of \
      'onNotFound' opens another request each time it receives one, let it return an outcome, or let the interceptor \
      proceed if 'request.parameters(of:)' is not nil for that route [redirect-loop]
      """
    }
    router.registerAction("loop", "again") { (_: [String: Int], request: RouteRequest) in
      _ = try await request.router.perform("loop", "again")
    }
    #expect(await problem(router) { try await $0.perform("loop", "again") } == says("loop.again"))
    #expect(await problem(router) { try await $0.open(.home) } == says("test.home"))
    #expect(await problem(router) { try await $0.open(url("mgr://none"), from: .local) } == says("mgr://none"))
    #expect(
      await problem(router) { router in
        try await MainActor.run {
          try router.synchronousObject(for: url("shop://secret/a"), as: String.self, from: .local)
        }
      } == says("shop://secret/a", "50 synchronous"))
  }

  @Test func `requests that are nested and end are not an error`() async throws {
    let router = Router()
    router.registerSynchronous(.secret) { word, _ in word.word }
    router.register(.order) { link, request in
      if link.id > 0 { return try await request.router.open(.order, OrderLink(id: link.id - 1)) }
      // The requests that wait above use no stack, so they don't count here.
      return try await MainActor.run {
        try request.router.synchronousObject(for: url("shop://secret/end"), as: String.self, from: .local)
      }
    }
    #expect(try await router.open(.order, OrderLink(id: 150)) == "end")
  }

  @Test func `requests that tasks open one after the other are not nested`() async throws {
    let router = Router()
    let (opened, continuation) = AsyncStream.makeStream(of: Int.self)
    router.register(.order) { link, request in
      Task {
        if link.id == 600 { return continuation.finish() }
        _ = try await request.router.open(.order, OrderLink(id: link.id + 1))
      }
      continuation.yield(link.id)
      return ""
    }
    _ = try await router.open(.order, OrderLink(id: 0))
    #expect(await opened.reduce(0) { max($0, $1) } == 600)
  }

  private func problem<Outcome>(_ router: Router, _ open: (Router) async throws -> Outcome) async -> String {
    let error = await #expect(throws: RouteError.self) { _ = try await open(router) }
    return error?.description ?? ""
  }

  @Test func `an error of a router without records says how to get one with records`() async {
    let says = """
      no route opens 'managers.shelf'; its router reads no records, and no code registered a route; pass 'records: \
      .loadedImages', or use the router of a manager that reads records, as in 'context.services.router' \
      [route-not-found]
      """
    #expect(await problem(Router()) { try await $0.open(.shelf) } == says)
    #expect(await problem(ServiceManager().router) { try await $0.open(.shelf) } == says)
    for origin in [RouteOrigin.local, .remote] {
      let problem = await problem(Router()) { try await $0.open(url("mgr://shelf"), from: origin) }
      #expect(problem.contains("reads no records"))
    }
    // A router of registered routes has no records, and that is no mistake.
    let router = Router()
    router.register(.inner) { "" }
    #expect(
      await problem(router) { try await $0.open(.shelf) }
        == "no route opens 'managers.shelf'; export the route with '#exportRoute' or '@ExportRoute', and link the"
        + " target that exports it [route-not-found]")
  }

  @Test func `an error of a router whose filter selects no route says so`() async {
    let router = Router(records: .records { $0.handlerName?.hasPrefix("Snippet/") == true })
    let problem = await problem(router) { try await $0.open(.shelf) }
    #expect(
      problem.hasSuffix(", but its router reads none; correct the filter or the group in 'records:' [route-not-found]"))
    // A remote caller must not learn how many routes there are.
    let remote = await self.problem(router) { try await $0.open(url("mgr://shelf"), from: .remote) }
    #expect(remote.contains("; link the target that exports the route, and") && !remote.contains("none"), "\(remote)")
  }

  @Test func `an error of a child's router says that the router of the parent opens the route`() async throws {
    let parent = services("a")
    let child = ServiceManager(parent: parent)
    child.router.register(.home) { "" }
    for problem in [
      await problem(child.router) { try await $0.open(.shelf) },
      await problem(child.router) { try await $0.open(url("mgr://shelf"), from: .local) },
    ] {
      #expect(problem.contains("; the router of the parent of its services opens it; use that router"), "\(problem)")
    }
    child.router.register(Route<Int, String>("managers.near", [#pattern("mgr://shelf/:id(Int)")])) { "\($0)" }
    let near = await problem(child.router) { try await $0.open(url("mgr://shelf"), from: .local) }
    #expect(near.contains("; use that router; in this router, the pattern 'mgr://shelf/:id(Int)' nearly"), "\(near)")
    let grandchild = ServiceManager(parent: child)
    grandchild.router.register(.home) { "" }
    let far = await problem(grandchild.router) { try await $0.open(.shelf) }
    #expect(far.contains("; the router of the parent of its services opens it"), "\(far)")
    let unknown = await problem(child.router) { try await $0.open(.login) }
    #expect(
      unknown == "no route opens 'test.login'; export the route with '#exportRoute' or '@ExportRoute', and link the"
        + " target that exports it [route-not-found]")
  }

  #if DEBUG
  @Test func `an error of the shared router or of another one names the registration in the other`() async throws {
    let remote = Route<Void, String>("managers.remote", [try RoutePattern("mgrs://remote")], access: .remote)
    let local = Route<Void, String>("managers.local", [try RoutePattern("mgrs://local")])
    let services = services("a")
    for (own, other) in [(Router.shared, services.router), (services.router, Router.shared)] {
      let tokens = [other.register(remote) { "" }, other.register(local) { "" }]
      for problem in [
        await problem(own) { try await $0.open(local) },
        await problem(own) { try await $0.open(url("mgrs://local"), from: .local) },
        await problem(own) { try await $0.open(url("mgrs://remote"), from: .remote) },
      ] {
        #expect(problem.contains("'; code registered it at 'RoutingTests/ManagerRouterTests.swift:"), "\(problem)")
        #expect(
          problem.hasSuffix("' in another router; use 'context.services.router' in both places [route-not-found]"))
      }
      let hidden = await problem(own) { try await $0.open(url("mgrs://local"), from: .remote) }
      #expect(!hidden.contains("another router"))
      for token in tokens { token.cancel() }
      #expect(!(await problem(own) { try await $0.open(local) }.contains("another router")))
    }
  }
  #endif

  @Test(arguments: [
    ("mgr/1", "it has no scheme; write the scheme of the route's pattern and '://' before it"),
    ("mgr:/shelf", "two slashes must follow its scheme before the host; write 'mgr://shelf'"),
    ("mgr:shelf/1", "two slashes must follow its scheme before the host; write 'mgr://shelf/1'"),
    ("mgr://shelf:99999/1", "the port must be a number up to 65535"),
  ])
  func `a URL that cannot be split, or without slashes, is an error that says so`(text: String, says: String) async {
    let router = Router(records: Self.records)
    for origin in [RouteOrigin.local, .remote] {
      #expect(
        await problem(router) { try await $0.open(url(text), from: origin) }
          == "no route opens '\(text)'; \(says) [route-not-found]")
    }
  }

  @Test func `URLs with one slash or none open routes whose patterns have none`() async throws {
    let router = Router()
    router.register(Route<Void, String>("managers.help", [try RoutePattern("mgr:///help")])) { "help" }
    router.register(Route<Void, String>("managers.rest", [try RoutePattern("mgr:**")])) { "rest" }
    #expect(try await router.object(for: url("mgr:/help"), from: .local) == "help")
    #expect(try await router.object(for: url("mgr:help"), from: .local) == "rest")
  }

  @Test func `a single value and a pattern with another number of parameters are reported`() async throws {
    let problems = DiagnosticCollector()
    let router = Router(onDiagnostic: problems.handler)
    router.register(Route<Int, String>("managers.two", [#pattern("mgr://two/:a(Int)/:b(Int)")])) { "\($0)" }
    router.register(Route<Int, String>("managers.none", [#pattern("mgr://none")])) { "\($0)" }
    _ = router.report()
    #expect(problems.codes == ["unused-parameter", "unused-parameter"])
    // A release build reports them in the order of the table of patterns.
    #expect(
      problems.diagnostics.map(\.message).contains(
        """
        the pattern 'mgr://two/:a(Int)/:b(Int)' matches no URL, because 'Int' is a single value and the pattern has 2 \
        parameters; declare a 'Decodable' structure with a property for each parameter, or leave one parameter
        """))
    let problem = await problem(router) { try await $0.open(url("mgr://two/1/2"), from: .local) }
    #expect(
      problem.contains(
        "found a whole URL; a single value needs a pattern with exactly one parameter, so declare a structure with a"),
      "\(problem)")
  }

  @Test func `a single value with an optional segment is no mistake`() async throws {
    let problems = DiagnosticCollector()
    let router = Router(onDiagnostic: problems.handler)
    let one = Route<Int, String>("managers.one", [#pattern("mgr://one/:a(Int)"), #pattern("mgr://one(/:a)(/:b)")])
    router.register(one) { "\($0)" }
    router.register(Route<String, String>("managers.rest", [#pattern("mgr://rest/:a/**")])) { $0 }
    _ = router.report()
    #expect(problems.diagnostics.isEmpty)
    #expect(try await router.object(for: url("mgr://one/1"), from: .local) == "1")
  }
}
