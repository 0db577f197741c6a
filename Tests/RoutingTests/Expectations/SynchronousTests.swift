import Foundation
import Registry
@testable import Routing
import TestSupport
import TestWaits
import Testing

#exportRoute(.syncExported) { word in
  if #available(macOS 99, iOS 99, tvOS 99, watchOS 99, visionOS 99, *) { "exported \(word.word)" } else { "\(#fileID)" }
}

extension Route where Parameters == Word, Outcome == String {
  fileprivate static var syncExported: Self { .init("sync.exported", [#pattern("sync://exported/:word")]) }
  fileprivate static var syncWaiting: Self { .init("sync.waiting", [#pattern("sync://waiting/:word")]) }
}

@MainActor @Suite(.timeLimit(.minutes(20))) struct SynchronousTests {
  let trace = Trace()

  private func router() -> Router {
    let router = Router()
    router.registerSynchronous(.secret) { word, _ in "secret \(word.word)" }
    router.registerSynchronous(.public_) { word, request in "public \(word.word) \(request.origin)" }
    router.registerSynchronous(.home) { _, request in "home \(request.queryItems.count)" }
    router.register(.syncWaiting) { word in
      await Task.yield()
      return word.word
    }
    return router
  }

  /// Opens a URL in synchronous code.
  private func object(_ text: String, _ router: Router, from origin: RouteOrigin = .local) throws -> String {
    try router.synchronousObject(for: url(text), from: origin)
  }

  @Test func `synchronous code gets the object of a URL`() async throws {
    let router = router()
    #expect(try object("shop://secret/x", router) == "secret x")
    #expect(try object("shop://public/x", router, from: .remote) == "public x remote")
    #expect(try object("shop://home?a", router) == "home 1")
    // Code that can wait opens the same routes.
    #expect(try await router.object(for: url("shop://secret/x"), from: .local) == "secret x")
    #expect(try await router.open(.home) == "home 0")
  }

  @Test func `a handler receives the values of synchronous code`() throws {
    let router = Router()
    router.registerSynchronous(.home) { _, request in "\(request.values[.animated] as Any)" }
    let values = RouteValues { $0[.animated] = true }
    let object = try router.synchronousObject(for: url("shop://home"), as: String.self, from: .local, values: values)
    #expect(object == "Optional(true)")
  }

  @Test func `an object of another type is an error`() throws {
    let router = router()
    let error = #expect(throws: RouteError.self) {
      try router.synchronousObject(for: url("shop://secret/x"), as: Int.self, from: .local)
    }
    #expect(error?.kind == .wrongType(expected: "Int", found: "String"))
  }

  @Test func `the expansion of a macro adds handlers that can wait`() {
    func handler(_ add: (__RouteHandlers) -> Void) -> RouteHandler? {
      var ranks = Ranks()
      let handlers = __RouteHandlers(Provenance(location: "", record: nil, rank: ranks.registered()))
      add(handlers)
      return handlers.only
    }
    let handlers = [
      handler {
        $0.on(.syncWaiting) { word, request in
          await Task.yield()
          return word.word
        }
      },
      handler {
        $0.on(.home) { request in
          await Task.yield()
          return ""
        }
      },
    ]
    #expect(handlers.map { $0?.name.id } == ["sync.waiting", "test.home"])
    #expect(handlers.allSatisfy { $0?.openNow == nil })
  }

  @Test func `synchronous code gets the object of an exported route`() throws {
    let router = Router(records: .loadedImages)
    #expect(try object("sync://exported/x", router) == "exported x")
  }

  @Test func `a URL from outside reaches no internal route`() {
    let error = #expect(throws: RouteError.self) { try object("shop://secret/x", router(), from: .remote) }
    #expect(error?.kind == .notFound(nearest: nil) && error?.target == "shop://secret/x" && error?.reason == nil)
  }

  @Test func `a URL from outside does not learn which internal route can wait`() {
    let router = router()
    router.intercept { $0.origin == .remote ? .handOff(.syncWaiting, Word(word: "x")) : .proceed }
    let error = #expect(throws: RouteError.self) { try object("shop://public/x", router, from: .remote) }
    #expect(error?.kind == .notSynchronous && error?.target == "shop://public/x")
  }

  @Test func `a handler or an interceptor that can wait is an error`() async throws {
    let router = router()
    let error = #expect(throws: RouteError.self) { try object("sync://waiting/x", router) }
    #expect("\(try #require(error))".contains("its handler can wait"))
    #expect(try await router.object(for: url("sync://waiting/x"), from: .local) == "x")
    let token = router.intercept { request in
      await Task.yield()
      return .proceed
    }
    let other = #expect(throws: RouteError.self) { try object("shop://secret/x", router) }
    #expect("\(try #require(other))".contains("an interceptor can wait"))
    token.cancel()
    #expect(try object("shop://secret/x", router) == "secret x")
  }

  @Test func `interceptors that do not wait redirect, reject, and hand off`() throws {
    let router = router()
    router.intercept { request in
      switch request.routeID {
      case "test.home": .redirect(url("shop://public/y"))
      case "test.secret": .reject("closed")
      case "test.public" where request.origin == .remote: .handOff(.syncExported, Word(word: "handed"))
      default: .proceed
      }
    }
    router.registerSynchronous(.syncExported) { word, _ in word.word }
    #expect(try object("shop://home", router) == "public y local")
    #expect(try object("shop://public/x", router, from: .remote) == "handed")
    let error = #expect(throws: RouteError.self) { try object("shop://secret/x", router) }
    #expect(error?.kind == .rejected && error?.target == "test.secret" && error?.reason == "closed")
  }

  @Test func `a declining handler passes the request on, and observers receive it`() throws {
    let (router, trace) = (router(), trace)
    router.registerSynchronous(Route<Void, String>("sync.all", [#pattern("shop:**")])) { _, _ in "all" }
    router.registerSynchronous(Route<[String: String], String>("sync.never", [#pattern("shop://never/:x")])) { _, _ in
      throw RouteError.declined("never")
    }
    router.observe { observation in
      trace.add(observation.result.map { (try? $0.get().request.routeID) ?? "failed" } ?? "began")
    }
    #expect(try object("shop://never/x", router) == "all")
    #expect(throws: RouteError.self) { try object("other://x", router) }
    #expect(trace.lines == ["began", "sync.all", "began", "failed"])
  }

  @Test func `an interceptor that declines a request has not declined that of the handler which opened it`() throws {
    let router = router()
    router.registerSynchronous(Route<Void, String>("sync.all", [#pattern("shop:**")])) { _, _ in "all" }
    router.registerSynchronous(Route<Void, String>("sync.outer", [#pattern("shop://outer")])) { _, request in
      try MainActor.assumeIsolated { try object("shop://home", request.router) }
    }
    router.intercept { request in
      if request.routeID == "test.home" { throw RouteError.declined("closed") }
      return .proceed
    }
    let error = #expect(throws: RouteError.self) { try object("shop://outer", router) }
    #expect(error?.kind == .declined && error?.target == "shop://home" && error?.reason == "closed")
  }

  @Test func `a request that is canceled while it waits for the main actor does not reach a handler`() async throws {
    let (router, trace) = (Router(), trace)
    router.registerSynchronous(.ping) { _, _ in trace.add("handler") }
    let task = Task.detached {
      try await router.open(url("shop://ping"), from: .local)
    }
    // The handler cannot run before this function waits, and the request is canceled by then.
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(trace.lines.isEmpty)
  }
}
