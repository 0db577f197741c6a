import Dispatch
import Foundation
import Registry
import TestSupport
import Testing

private protocol Tool: Sendable { var name: String { get } }
private protocol Other: Sendable {}

private final class Hammer: Tool {
  let name: String
  let onDeinit: @Sendable () -> Void
  init(_ name: String = "hammer", onDeinit: @escaping @Sendable () -> Void = {}) {
    self.name = name
    self.onDeinit = onDeinit
  }
  deinit { onDeinit() }
}

private struct Part: Other {}

@Suite(.timeLimit(.minutes(20))) struct RegistrationTests {
  let problems = DiagnosticCollector()
  let services: ServiceManager

  init() {
    services = ServiceManager(onDiagnostic: problems.handler)
  }

  @Test func `a separate manager has no services until some are registered`() throws {
    #expect(!services.contains(Tool.self))
    services.register(Tool.self) { Hammer() }
    #expect(services.contains(Tool.self))
    #expect(try services.createService(for: Tool.self).name == "hammer")
    #expect(services.unregister(Tool.self))
    #expect(!services.unregister(Tool.self))
    #expect(throws: ServiceError.self) { try services.createService(for: Tool.self) }
  }

  @Test func `a removed factory releases its captures, although its shared instance stays`() throws {
    let freed = Counter()
    func register(_ held: Hammer) {
      services.register(Tool.self, scope: .shared) { Hammer("made beside \(held.name)") }
    }
    register(Hammer("held", onDeinit: { freed.increment() }))
    // The table contains the instance and retains it until the manager is released.
    #expect(try services.createService(for: Tool.self).name == "made beside held")
    #expect(freed.value == 0)
    #expect(services.unregister(Tool.self))
    #expect(freed.value == 1)
  }

  @Test func `a canceled token keeps no instance`() throws {
    let freed = Counter()
    var tokens: [RegistrationToken] = []
    for _ in 0..<2 {
      tokens.append(services.register(Tool.self, scope: .shared) { Hammer { freed.increment() } })
      #expect(try services.createService(for: Tool.self).name == "hammer")
      #expect(tokens.last?.cancel() == true)
    }
    // The table retains the first instance until the manager is released.
    withExtendedLifetime(tokens) { #expect(freed.value == 1) }
  }

  @Test func `a registration can be canceled once`() throws {
    let first = services.register(Tool.self) { Hammer("first") }
    services.register(Tool.self) { Hammer("second") }
    #expect(try services.createService(for: Tool.self).name == "first")
    #expect(first.cancel())
    #expect(!first.cancel())
    #expect(try services.createService(for: Tool.self).name == "second")
  }

  @Test func `a later registration takes precedence only if it replaces the others`() throws {
    services.register(Tool.self, scope: .shared, replacing: true) { Hammer("first") }
    #expect(try services.createService(for: Tool.self).name == "first")
    services.register(Tool.self, priority: 100) { Hammer("eager") }
    #expect(try services.createService(for: Tool.self).name == "first")
    #expect(problems[.takeover].count == 1)
    let replacement = services.register(Tool.self, replacing: true) { Hammer("new") }
    #expect(try services.createService(for: Tool.self).name == "new")
    #expect(problems[.takeover].count == 1, "what was there before did not come later")
    replacement.cancel()
    #expect(try services.createService(for: Tool.self).name == "first")
  }

  @Test func `a tie is reported with both implementations`() throws {
    services.register(Tool.self) { Hammer("first") }
    services.register(Tool.self) { Hammer("second") }
    let tie = try #require(problems[.tie].first)
    #expect(tie.subject.contains("Tool"))
    #expect(tie.message.contains("RegistrationTests.swift"))
    #expect(tie.message.contains(", so the first loaded or registered is used; "))
    #expect(try services.createService(for: Tool.self).name == "first")
  }

  @Test func `names and priorities order registrations`() throws {
    services.register(Tool.self, named: "b") { Hammer("b") }
    services.register(Tool.self, priority: 1) { Hammer("low") }
    services.register(Tool.self, priority: 2) { Hammer("high") }
    #expect(try services.createServices(for: Tool.self).map(\.name) == ["high", "low", "b"])
    let error = #expect(throws: ServiceError.self) { try services.createService(for: Tool.self, named: "a") }
    #expect(error!.description.contains("available names: 'b'"))
  }

  @Test func `if only named implementations exist, the error lists them`() throws {
    services.register(Tool.self, named: "left") { Hammer() }
    services.register(Tool.self, named: "right") { Hammer() }
    let error = #expect(throws: ServiceError.self) { try services.createService(for: Tool.self) }
    #expect(error!.description.contains("an available name as 'named:': 'left' and 'right'"))
  }

  @Test func `eight threads create a shared service once`() throws {
    let made = Counter()
    services.register(Tool.self, scope: .shared) { Hammer("\(made.increment())") }
    onThreads(8) { _ in
      for _ in 0..<200 { #expect(try! services.createService(for: Tool.self).name == "1") }
    }
    #expect(made.value == 1)
  }

  @Test func `the next lookup creates a service after a failed attempt`() throws {
    let attempts = Counter()
    services.register(Tool.self, scope: .shared) {
      if attempts.increment() == 1 { throw Refused() }
      return Hammer()
    }
    #expect(throws: ServiceError.self) { try services.createService(for: Tool.self) }
    #expect(try services.createService(for: Tool.self).name == "hammer")
  }

  @Test func `a kept instance that stores the argument of its factory does not keep the manager alive`() throws {
    struct Keeper: Tool {
      let services: ServiceManager
      let name = "keeper"
    }
    weak var core: ServiceCore?
    var keeper: (any Tool)?
    for scope in [ServiceScope.shared, .cached("a")] {
      do {
        let services = ServiceManager()
        services.register(Tool.self, scope: scope) { Keeper(services: $0) }
        keeper = try services.createService(for: Tool.self)
        core = services.core
        #expect(try (keeper as? Keeper)?.services.createService(for: Tool.self).name == "keeper")
      }
      #expect(core == nil)
      #expect(throws: ServiceError.self) { try (keeper as? Keeper)?.services.createService(for: Tool.self) }
    }
  }

  @Test func `a service that resolves itself is a cycle`() throws {
    let services = services
    // A factory that captures its own manager keeps the manager alive.
    defer { services.unregister(Tool.self) }
    services.register(Tool.self, scope: .shared) { try services.createService(for: Tool.self) }
    let error = #expect(throws: ServiceError.self) { try services.createService(for: Tool.self) }
    let path = try #require(error).steps
    #expect(path.count == 2 && path[0] == path[1])
  }

  @Test func `only a service that can wrap another one is told to name it`() throws {
    func isTold(_ lookUp: () throws -> Void) -> Bool? {
      let error = #expect(throws: ServiceError.self, performing: lookUp)
      return error?.description.contains("name the implementation that this one wraps")
    }
    let services = services
    services.register(Tool.self) { try $0.createService(for: Tool.self) }
    #expect(isTold { _ = try services.createService(for: Tool.self) } == true)
    services.withOverrides {
      $0.override(Tool.self) { try services.createService(for: Tool.self) }
    } operation: {
      #expect(isTold { _ = try services.createService(for: Tool.self) } == false)
    }
    let point = ContributionPoint<[Int]>("registration.own")
    let token = services.contribute(to: point) { try services.contributions(to: point).count }
    #expect(isTold { _ = try services.contributions(to: point) } == false)
    token.cancel()
  }

  @Test func `two threads that wait for each other are a cycle, not a deadlock`() throws {
    let services = services
    defer {
      services.unregister(Tool.self)
      services.unregister(Other.self)
    }
    let (toolBegun, otherBegun) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    services.register(Tool.self, scope: .shared) {
      toolBegun.signal()
      #expect(otherBegun.wait(timeout: .now() + 600) == .success, "the other factory does not begin")
      otherBegun.signal()
      _ = try services.createService(for: Other.self)
      return Hammer()
    }
    services.register(Other.self, scope: .shared) {
      otherBegun.signal()
      #expect(toolBegun.wait(timeout: .now() + 600) == .success, "the first factory does not begin")
      toolBegun.signal()
      _ = try services.createService(for: Tool.self)
      return Part()
    }
    let cycles = Counter()
    onThreads(2) { index in
      do throws(ServiceError) {
        if index == 0 {
          _ = try services.createService(for: Tool.self)
        } else {
          _ = try services.createService(for: Other.self)
        }
      } catch {
        if error.steps.count == 3, error.steps[0] == error.steps[2] { cycles.increment() }
      }
    }
    #expect(cycles.value >= 1)
  }

  @Test func `repeated registration and removal releases the instances`() throws {
    let freed = Trace()
    for number in 0..<1_000 {
      services.register(Tool.self, scope: .shared) { Hammer { freed.add("\(number)") } }
      _ = try services.createService(for: Tool.self)
      services.unregister(Tool.self)
    }
    // The manager retains only the first instance, which readers without a lock can still use.
    #expect(freed.lines == (1..<1_000).map { "\($0)" })
  }

  @Test func `a weak instance can use its manager during its deinitialization, on eight threads`() throws {
    let services = services
    defer { services.unregister(Tool.self) }
    services.register(Tool.self, scope: .weak) { Hammer { _ = services.contains(Other.self) } }
    onThreads(8) { _ in
      for _ in 0..<2_000 { #expect((try? services.createService(for: Tool.self)) != nil) }
    }
  }

  @Test func `threads that resolve a weak service simultaneously get one instance`() throws {
    let (services, rounds, threads) = (services, 500, 4)
    services.register(Tool.self, scope: .weak) { Hammer() }
    let (asking, done) = (Counter(), Counter())
    let different = Counter()
    let first = Locked<[Int: Hammer]>([:])
    onThreads(threads) { _ in
      for round in 1...rounds {
        // In each round, all threads look the service up at once, so that one is about to create an
        // instance while another has just done so.
        asking.increment()
        while asking.value < round * threads { sched_yield() }
        let tool = try! services.createService(for: Tool.self) as! Hammer
        let known = first.withLock { first in
          if first[round] == nil { first[round] = tool }
          return first[round]
        }
        if known !== tool { different.increment() }
        done.increment()
        while done.value < round * threads { sched_yield() }
        first.withLock { _ = $0.removeValue(forKey: round) }
      }
    }
    #expect(different.value == 0)
  }

  @Test func `a manager releases its instances when it is released`() throws {
    let freed = Counter()
    do {
      let services = ServiceManager(onDiagnostic: problems.handler)
      services.register(Tool.self, scope: .shared) { Hammer { freed.increment() } }
      _ = try services.createService(for: Tool.self)
      _ = try services.createService(for: Tool.self)
    }
    #expect(freed.value == 1)
  }

  @Test func `two hundred services are found in the table`() throws {
    let services = services
    // The types are arrays of arrays, which can be nested to any depth.
    func register<Element: Sendable>(_ type: Element.Type, _ value: Element, depth: Int) {
      guard depth > 0 else { return }
      services.register([Element].self, scope: .shared) { [value] }
      #expect((try? services.createService(for: [Element].self))?.count == 1)
      register([Element].self, [value], depth: depth - 1)
      #expect((try? services.createService(for: [Element].self))?.count == 1)
    }
    register(Int.self, 1, depth: 200)
  }

  // MARK: - Overrides

  @Test func `an override applies in its scope and in the tasks that are created there`() async throws {
    let services = services
    services.register(Tool.self, scope: .shared) { Hammer("live") }
    #expect(try services.createService(for: Tool.self).name == "live")
    try await services.withOverrides {
      $0.override(Tool.self) { Hammer("outer") }
    } operation: {
      #expect(try services.createService(for: Tool.self).name == "outer")
      try services.withOverrides {
        $0.override(Tool.self) { Hammer("inner") }
      } operation: { () throws in
        #expect(try services.createService(for: Tool.self).name == "inner")
        #expect(try services.createServices(for: Tool.self).map(\.name) == ["inner"])
      }
      #expect(try await Task { try services.createService(for: Tool.self).name }.value == "outer")
      #expect(try await Task.detached { try services.createService(for: Tool.self).name }.value == "live")
    }
    #expect(try services.createService(for: Tool.self).name == "live")
  }

  @Test func `a task that outlives the scope keeps its override for every lookup`() async throws {
    let services = services
    services.register(Tool.self, scope: .shared) { Hammer("live") }
    let (ended, gate) = AsyncStream.makeStream(of: Void.self)
    let task = services.withOverrides {
      $0.override(Tool.self) { Hammer("fake") }
    } operation: {
      Task {
        for await _ in ended { break }
        let one = try services.createService(for: Tool.self).name
        let all = try services.createServices(for: Tool.self).map(\.name)
        return [one] + all
      }
    }
    #expect(try services.createService(for: Tool.self).name == "live")
    gate.yield()
    #expect(try await task.value == ["fake", "fake"])
  }

  @Test func `an override can provide a service without an implementation`() throws {
    let services = services
    try services.withOverrides {
      $0.override(Tool.self, named: "fake") { Hammer("fake") }
    } operation: { () throws in
      #expect(services.contains(Tool.self, named: "fake"))
      #expect(try services.createService(for: Tool.self, named: "fake").name == "fake")
    }
    #expect(!services.contains(Tool.self, named: "fake"))
  }
}

extension RegistrationTests {
  /// Checks that a manager has no children to reflect.
  ///
  /// Swift Testing reflects the values of a failed expectation recursively.
  @Test func `a mirror of a manager has no children`() {
    #expect(Mirror(reflecting: services).children.isEmpty)
    #expect(!String(reflecting: services).isEmpty)
  }
}
