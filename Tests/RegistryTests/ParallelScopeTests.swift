import Registry
import TestSupport
import Testing

/// Scopes in concurrent tasks, which are also tested with ThreadSanitizer.
@Suite(.timeLimit(.minutes(20))) struct ParallelScopeTests {
  let shop = GadgetShop()

  @Test func `many tasks with and without scopes each use their own instances`() async throws {
    let services = shop.services
    let live = try services.gadget()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for worker in 0..<32 {
        group.addTask {
          for round in 0..<50 {
            let name = "\(worker)/\(round)"
            switch worker % 4 {
            case 0:
              // This task has an isolated scope with an override.
              try await services.withTestScope {
                $0.override(Gadget.self, scope: .shared) { Widget(name) }
              } operation: { () async throws in
                await Task.yield()
                #expect(try services.held() == name)
                async let child = services.held()
                #expect(try await child == name)
              }
            case 1:
              // This task has an isolated scope, which always finds the same live instance of its
              // own.
              try await services.withTestScope(.lenient) { () async throws in
                let own = try services.createService(for: Gadget.self)
                await Task.yield()
                #expect(own.name != live)
                #expect(try services.createService(for: Holder.self).held === own)
                services.register(Greeter.self, named: name) { PoliteGreeter() }
                #expect(services.contains(Greeter.self, named: name))
              }
              #expect(!services.contains(Greeter.self, named: name))
            case 2:
              // This task has only an override.
              try await services.withOverrides {
                $0.override(Gadget.self) { Widget(name) }
              } operation: { () async throws in
                await Task.yield()
                #expect(try services.gadget() == name)
              }
            default:
              #expect(try services.gadget() == live)
              await Task.yield()
              #expect(try services.gadget() == live)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try services.gadget() == live)
    // Each scope has released all the instances that it created.
    #expect(shop.made.value == shop.freed.value + 1)
  }

  @Test func `threads without a scope find shared services while scopes begin and end`() throws {
    let services = shop.services
    let live = try services.createService(for: Gadget.self)
    onThreads(8) { worker in
      for _ in 0..<300 {
        if worker < 3 {
          services.withTestScope(worker == 0 ? .strict : .lenient) {
            #expect(try! services.withTestScope(.lenient) { () throws in try services.held() } != live.name)
          }
        } else {
          #expect((try? services.createService(for: Gadget.self)) === live)
        }
      }
    }
    #expect(try services.held() == live.name)
  }

  @Test func `threads of one scope create a shared service once`() async throws {
    let services = shop.services
    try await services.withTestScope {
      let names = try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 0..<64 { group.addTask { try services.held() } }
        return try await group.reduce(into: Set()) { $0.insert($1) }
      }
      #expect(names == ["live 1"])
    }
    #expect(shop.made.value == 1)
  }
}
