import Foundation
import Registry
import Routing
import TestSupport
import TestWaits
import Testing

private let opened = Trace()

extension Route where Parameters == Void, Outcome == String {
  fileprivate static var canceledClosure: Self { .init("canceled.closure") }
  fileprivate static var canceledConcurrent: Self { .init("canceled.concurrent") }
}
extension Route where Parameters == Void, Outcome == CanceledScreen {
  fileprivate static var canceledScreen: Self { .init("canceled.screen") }
}

@ExportRoute(.canceledScreen)
@MainActor private final class CanceledScreen {
  init() { opened.add("screen") }
}

#exportRoute(.canceledClosure) {
  opened.add("closure")
  await Task.yield()
  return "closure"
}
#exportRoute(.canceledConcurrent) { @concurrent in "concurrent" }

@Suite(.timeLimit(.minutes(20))) struct CancellationTests {
  let trace = Trace()
  static let records = RecordSource.records {
    $0.handlerName?.hasPrefix("RoutingTests/CancellationTests.swift:") ?? $0.typeName?.contains("CanceledScreen")
      ?? false
  }

  private func router() -> Router {
    let (router, trace) = (Router(), trace)
    router.register(.home) {
      trace.add("handler")
      return "home"
    }
    return router
  }

  @Test func `a link that is canceled before it is opened calls nothing`() async throws {
    let (router, trace) = (router(), trace)
    router.intercept { _ in
      trace.add("interceptor")
      return .proceed
    }
    router.onNotFound { _ in
      trace.add("not found")
      return nil
    }
    for text in ["shop://home", "shop://nowhere"] {
      let task = Task {
        await Task.yield()
        withUnsafeCurrentTask { $0?.cancel() }
        return try await router.open(url(text), from: .local)
      }
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(trace.lines.isEmpty)
  }

  @Test func `a login that the user cancels does not open the page behind it`() async throws {
    let (router, trace) = (router(), trace)
    router.intercept { _ in
      withUnsafeCurrentTask { $0?.cancel() }
      return .proceed
    }
    let task = Task { try await router.open(.home) }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(trace.lines.isEmpty)
  }

  @Test func `an action of a canceled task is not performed`() async throws {
    let (router, trace) = (Router(), trace)
    router.registerAction("canceled", "word") { (_: Word) in trace.add("word") }
    router.registerAction("canceled", "nothing") { trace.add("nothing") }
    for action in ["word", "nothing"] {
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await router.perform("canceled", action, ["word": "x"])
      }
      await #expect(throws: CancellationError.self) { try await task.value }
    }
    #expect(trace.lines.isEmpty)
  }

  /// Opens a route often while the main actor is busy, and cancels all requests before it is free.
  ///
  /// Each thread that runs tasks can interrupt one request between its interceptor and its handler.
  /// There are more requests, so most of them wait for the main actor when they are canceled.
  @MainActor private func openAndCancel<Outcome: Sendable>(_ route: Route<Void, Outcome>, _ router: Router) async {
    let count = 2 * ProcessInfo.processInfo.activeProcessorCount + 8
    let decided = Locked(0)
    router.intercept { _ in
      decided.withLock { $0 += 1 }
      return .proceed
    }
    let tasks = (0..<count).map { _ in Task { @concurrent in try await router.open(route) } }
    blockUntil("every request was decided about") { decided.withLock { $0 } == count }
    for task in tasks { task.cancel() }
    for task in tasks { await #expect(throws: CancellationError.self) { _ = try await task.value } }
  }

  @MainActor @Test func `a request that is canceled while it waits for the main actor opens nothing`() async {
    let (router, trace) = (Router(), trace)
    router.register(.home) {
      trace.add("handler")
      await Task.yield()
      return "home"
    }
    router.register(.login) { _, request in
      trace.add("handler")
      return "login"
    }
    router.registerSynchronous(.ping) { _, _ in trace.add("handler") }
    await openAndCancel(.home, router)
    #expect(trace.lines.isEmpty)
    await openAndCancel(.login, router)
    #expect(trace.lines.isEmpty)
    await openAndCancel(.ping, router)
    #expect(trace.lines.isEmpty)
  }

  @MainActor @Test func `a canceled request does not create an exported type or call an exported closure`() async {
    let router = Router(records: Self.records)
    await router.scanImages()
    await openAndCancel(.canceledScreen, router)
    await openAndCancel(.canceledClosure, router)
    #expect(opened.lines.isEmpty)
  }

  @MainActor @Test func `a concurrent closure is called while the main actor is busy`() async throws {
    let router = Router(records: Self.records)
    await router.scanImages()
    let hasEnded = Locked(false)
    let task = Task { @concurrent in
      defer { hasEnded.withLock { $0 = true } }
      return try await router.open(.canceledConcurrent)
    }
    blockUntil("the request ends without the main actor") { hasEnded.withLock { $0 } }
    #expect(try await task.value == "concurrent")
  }

  @Test func `a canceled request is not redirected, and observers receive the error`() async throws {
    let (router, trace) = (router(), trace)
    router.intercept { request in
      guard request.routeID != "test.home" else { return .proceed }
      withUnsafeCurrentTask { $0?.cancel() }
      return .redirect(.home)
    }
    router.register(.ping) {}
    router.observe { observation in
      if case .failure(let error)? = observation.result { trace.add("\(type(of: error))") }
    }
    let task = Task { try await router.open(url("shop://ping"), from: .local) }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(trace.lines == ["CancellationError"])
  }
}
