import Dispatch
import Registry
import TestSupport
import Testing

protocol Account: AnyObject, Sendable { var number: Int { get } }
protocol Inbox: AnyObject, Sendable {}

private let created = Counter()

/// A service that belongs to the session of a user.
@ExportService(Account.self, scope: .cached("session"))
@ExportService(Inbox.self, scope: .cached("session"))
final class UserAccount: Account, Inbox {
  let number: Int
  init() { number = created.increment() }
}

@Suite(.timeLimit(.minutes(20))) struct CachedInstanceTests {
  let problems = DiagnosticCollector()

  private func exported() -> ServiceManager {
    ServiceManager(records: .records { $0.typeName == "RegistryTests.UserAccount" }, onDiagnostic: problems.handler)
  }

  @Test func `logging out releases exported services, and the next lookup creates new ones`() throws {
    let services = exported()
    weak var first: (any Account)?
    do {
      let account = try services.createService(for: Account.self)
      #expect(try services.createService(for: Account.self) === account)
      #expect(try services.createService(for: Inbox.self) === account)
      first = account
    }
    #expect(first != nil, "the manager keeps the instance")
    #expect(services.resetCache("session"))
    #expect(first == nil)
    #expect(!services.resetCache("session"), "there is no instance")
    let second = try services.createService(for: Inbox.self)
    #expect(try services.createService(for: Account.self) === second)
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `code that holds an instance keeps it after a reset`() throws {
    let services = exported()
    let held = try services.createService(for: Account.self)
    services.resetCache("session")
    #expect(try services.createService(for: Account.self).number > held.number)
  }

  @Test func `an instance can use its manager while a reset releases it`() throws {
    let services = ServiceManager(onDiagnostic: problems.handler)
    let asked = Counter()
    services.register(Gadget.self, scope: .cached("session")) { manager in
      Widget("cached") { if !manager.contains(Holder.self) { asked.increment() } }
    }
    #expect(try services.gadget() == "cached")
    #expect(services.resetCache("session") && asked.value == 1)
  }

  @Test func `a reset of one cache affects no other cache and no shared service`() throws {
    let services = ServiceManager(onDiagnostic: problems.handler)
    let made = Counter()
    for (index, scope) in [ServiceScope.shared, .cached("session"), .cached("day")].enumerated() {
      services.register(Gadget.self, scope: scope, named: "\(index)") { Widget("\(made.increment())") }
    }
    func names() throws -> [String] { try services.createServices(for: Gadget.self).map(\.name) }
    let before = try names()
    services.resetCache("session")
    let after = try names()
    #expect(after[0] == before[0] && after[1] != before[1] && after[2] == before[2])
    #expect(!services.resetCache("sesion"))
    #expect(try names() == after)
  }

  @Test func `an instance that is being created during a reset is not kept`() throws {
    let services = ServiceManager(onDiagnostic: problems.handler)
    let made = Counter()
    let (started, isReset) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    services.register(Gadget.self, scope: .cached("session")) {
      let number = made.increment()
      if number == 1 {
        started.signal()
        isReset.wait()
      }
      return Widget("\(number)")
    }
    onThreads(2) { index in
      if index == 0 {
        #expect(try! services.gadget() == "1", "the lookup began in the old session")
      } else {
        started.wait()
        services.resetCache("session")
        isReset.signal()
        #expect(try! services.gadget() == "2")
      }
    }
    #expect(try services.gadget() == "2")
  }

  @Test func `a reset in a test scope affects the scope only`() throws {
    let services = exported()
    let live = try services.createService(for: Account.self)
    try services.withTestScope { () throws in
      let first = try services.createService(for: Account.self)
      services.resetCache("session")
      #expect(try services.createService(for: Account.self) !== first)
    }
    #expect(try services.createService(for: Account.self) === live)
  }

  @Test func `a reset of a child keeps the instances of its parent`() throws {
    let parent = exported()
    let account = try parent.createService(for: Account.self)
    ServiceManager(parent: parent).resetCache("session")
    #expect(try parent.createService(for: Account.self) === account)
  }

  @Test func `resets and lookups on several threads are safe`() {
    let services = exported()
    onThreads(4) { index in
      for _ in 0..<500 {
        if index == 0 { services.resetCache("session") } else { _ = try! services.createService(for: Inbox.self) }
      }
    }
  }

  @Test func `a record spells a scope as it is printed`() {
    for scope in ServiceScope.every { #expect(ServiceScope(recordText: "\(scope)") == scope) }
    #expect(ServiceScope(recordText: "cached(a)b)") == .cached("a)b"))
    for text in ["", "cached", "cached(", "cached()", "cached(a", "cached(\u{301}", "global"] {
      #expect(ServiceScope(recordText: text) == nil, "\(text)")
    }
  }
}
