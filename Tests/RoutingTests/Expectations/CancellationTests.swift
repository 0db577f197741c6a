import Foundation
import Registry
import Routing
import TestSupport
import TestWaits
import Testing

@Suite(.timeLimit(.minutes(20))) struct CancellationTests {
  let trace = Trace()

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

  @Test func `a canceled request is not redirected, and observers receive the error`() async throws {
    let (router, trace) = (router(), trace)
    router.intercept { request in
      guard request.route != "test.home" else { return .proceed }
      withUnsafeCurrentTask { $0?.cancel() }
      return .redirect(.home)
    }
    router.register(.ping) {}
    router.observe { observation in
      if case .ended(.failure(let error), _) = observation.phase { trace.add("\(type(of: error))") }
    }
    let task = Task { try await router.open(url("shop://ping"), from: .local) }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(trace.lines == ["CancellationError"])
  }
}
