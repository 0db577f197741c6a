import Dispatch
import Registry
import TestSupport
import Testing

/// Scopes that a value carries to code outside the task.
@Suite(.timeLimit(.minutes(20))) struct OverrideScopeTests {
  let services = ServiceManager()

  init() {
    services.register(Gadget.self, scope: .shared) { Widget("live") }
  }

  private func inScope<Result>(_ operation: () async throws -> Result) async rethrows -> Result {
    try await services.withTestScope(.strict) {
      $0.override(Gadget.self) { Widget("fake") }
    } operation: {
      try await operation()
    }
  }

  @Test func `a block on a queue uses the overrides of the test that scheduled it`() async throws {
    let services = services
    let names = await inScope {
      let scope = OverrideScope.current
      return await withCheckedContinuation { continuation in
        DispatchQueue(label: "checkout").async {
          let carried = scope.run { try? services.gadget() }
          continuation.resume(returning: [carried, try? services.gadget()])
        }
      }
    }
    #expect(names == ["fake", "live"])
  }

  @Test func `a callback uses the overrides after the operation has returned`() async throws {
    let services = services
    let callback = await inScope {
      let scope = OverrideScope.current
      return { @Sendable in try scope.run { try services.gadget() } }
    }
    #expect(try services.gadget() == "live")
    #expect(try callback() == "fake")
    #expect(try await Task.detached { try callback() }.value == "fake")
  }

  @Test func `a stream of a detached task uses the overrides`() async throws {
    let services = services
    let names = await inScope {
      let scope = OverrideScope.current
      let stream = AsyncStream<String?> { continuation in
        Task.detached {
          await scope.run {
            await Task.yield()
            continuation.yield(try? services.gadget())
            continuation.yield(await Task { try? services.gadget() }.value)
          }
          continuation.yield(try? services.gadget())
          continuation.finish()
        }
      }
      return await stream.reduce(into: []) { $0.append($1) }
    }
    #expect(names == ["fake", "fake", "live"])
  }

  @Test func `code outside a scope carries none into one`() async throws {
    let none = OverrideScope.current
    try await inScope { () throws in
      #expect(try services.gadget() == "fake")
      #expect(try none.run { try services.gadget() } == "live")
    }
  }

  @Test func `overrides without a test scope are carried too`() async throws {
    let services = services
    let scope = services.withOverrides {
      $0.override(Gadget.self) { Widget("override") }
    } operation: {
      OverrideScope.current
    }
    #expect(try services.gadget() == "live")
    #expect(try await Task.detached { try scope.run { try services.gadget() } }.value == "override")
  }

  @Test func `instances of a test scope exist as long as a value carries the scope`() throws {
    let freed = Counter()
    var scope: OverrideScope? = services.withTestScope {
      $0.override(Gadget.self, scope: .shared) { Widget("fake", onDeinit: { freed.increment() }) }
    } operation: {
      OverrideScope.current
    }
    #expect(try scope?.run { try services.gadget() } == "fake")
    #expect(freed.value == 0)
    scope = nil
    #expect(freed.value == 1)
  }
}
