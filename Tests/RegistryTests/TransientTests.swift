@testable import Registry
import RegistryC
import TestSupport
import Testing

protocol Ticket: AnyObject {}

@ExportService(Ticket.self)
final class PaperTicket: Ticket {
  init() {}
}

final class OtherTicket: Ticket {
  let label: String
  init(_ label: String = "") { self.label = label }
}

private final class Badge: Sendable {}

protocol Visa {}

@ExportService(Visa.self)
struct RefusedVisa: Visa {
  init() throws { throw Refused() }
}

protocol Permit {}

@ExportService(Permit.self)
struct OfficePermit: Permit {
  @TaskLocal static var isClosed = false
  /// The manager in which the office looks up another permit first.
  @TaskLocal static var asks: ServiceManager?

  init() throws {
    if Self.isClosed { throw Refused() }
    _ = try Self.asks?.createService(for: Permit.self)
  }
}

protocol Poster: Sendable {}

@ExportService(Poster.self)
@MainActor final class MainPoster: Poster {
  init() {}
}

struct WallPoster: Poster {}

protocol CountedVisa {}
struct GoodVisa: CountedVisa {}

/// A class that a C record exports for a protocol to which it does not conform.
final class CountedNonsense: NamedExport {
  static let made = Counter()
  init() { Self.made.increment() }
}

/// Transient services, which lookups create from entries in the table.
///
/// The next lookup must observe each change of these services.
@Suite(.timeLimit(.minutes(20))) struct TransientTests {
  let problems = DiagnosticCollector()

  @Test func `the result of a lookup is in the table, where the next lookup needs no lock`() throws {
    let services = exported
    services.register(WallPoster.self, scope: .shared) { WallPoster() }
    for key in [typeKey(Ticket.self), typeKey(WallPoster.self)] { #expect(registry_find(services.cell, key) == nil) }
    _ = try services.createService(for: Ticket.self)
    _ = try services.createService(for: WallPoster.self)
    for key in [typeKey(Ticket.self), typeKey(WallPoster.self)] { #expect(registry_find(services.cell, key) != nil) }
    #expect(services.unregister(WallPoster.self))
    #expect(registry_find(services.cell, typeKey(WallPoster.self)) == nil)
  }

  private var exported: ServiceManager {
    ServiceManager(
      records: .records { ["Ticket", "Visa", "Permit", "Poster"].contains($0.name) },
      onDiagnostic: problems.handler)
  }

  @Test func `an exported transient service is created for each lookup`() throws {
    let services = exported
    let tickets = try (0..<100).map { _ in try services.createService(for: Ticket.self) }
    #expect(Set(tickets.map(ObjectIdentifier.init)).count == 100)
    #expect(tickets.allSatisfy { $0 is PaperTicket })
  }

  @Test func `a main-actor service is created on the main actor each time`() async throws {
    let services = exported
    for _ in 0..<3 {
      #expect(await MainActor.run { (try? services.createService(for: Poster.self)) != nil })
      let error = await Task.detached {
        #expect(throws: ServiceError.self) { try services.createService(for: Poster.self) }
      }.value
      #expect(error?.code == .wrongIsolation, "\(error as Any)")
      _ = try await Task.detached { try await services.service(for: Poster.self) }.value
    }
  }

  @Test func `a usable implementation is found after an unusable one is canceled`() throws {
    let services = ServiceManager(onDiagnostic: problems.handler)
    let unusable = services.register(
      service: "RegistryTests.Ticket", class: "RegistryTests.NoSuchTicket", priority: 1)
    services.register(Ticket.self) { OtherTicket("usable") }
    let label = { (try services.createService(for: Ticket.self) as? OtherTicket)?.label }
    #expect(try label() == "usable")
    #expect(problems.codes == [.unknownClass])
    #expect(unusable.cancel())
    #expect(try label() == "usable")
  }

  @Test func `an implementation that is removed, replaced, or overridden is no longer created`() throws {
    let services = exported
    for _ in 0..<3 { _ = try services.createService(for: Ticket.self) }
    let overridden = try services.withOverrides {
      $0.override(Ticket.self) { OtherTicket() }
    } operation: {
      try services.createService(for: Ticket.self)
    }
    #expect(overridden is OtherTicket)
    services.withTestScope(.strict) {
      _ = #expect(throws: ServiceError.self) { try services.createService(for: Ticket.self) }
    }
    #expect(try services.createService(for: Ticket.self) is PaperTicket)
    let registration = services.register(Ticket.self, replacing: true) { OtherTicket() }
    for _ in 0..<3 { #expect(try services.createService(for: Ticket.self) is OtherTicket) }
    #expect(registration.cancel())
    for _ in 0..<3 { #expect(try services.createService(for: Ticket.self) is PaperTicket) }
    #expect(services.unregister(Ticket.self))
    #expect(throws: ServiceError.self) { try services.createService(for: Ticket.self) }
  }

  @Test func `a registered service is created by its closure, which removal releases`() throws {
    let services = ServiceManager(onDiagnostic: problems.handler)
    weak var held: OtherTicket?
    do {
      let ticket = OtherTicket("held")
      held = ticket
      nonisolated(unsafe) let shared = ticket
      services.register(Ticket.self) { shared }
    }
    for _ in 0..<3 { #expect((try services.createService(for: Ticket.self) as? OtherTicket)?.label == "held") }
    #expect(services.unregister(Ticket.self))
    #expect(held == nil)
    services.register(Ticket.self) { OtherTicket("second") }
    for _ in 0..<3 { #expect((try services.createService(for: Ticket.self) as? OtherTicket)?.label == "second") }
    services.register(Ticket.self, replacing: true) { OtherTicket("third") }
    for _ in 0..<3 { #expect((try services.createService(for: Ticket.self) as? OtherTicket)?.label == "third") }
  }

  @Test func `a closure that is removed while it runs is released when it returns`() throws {
    let services = ServiceManager(onDiagnostic: problems.handler)
    weak var held: OtherTicket?
    do {
      let ticket = OtherTicket("first")
      held = ticket
      nonisolated(unsafe) let shared = ticket
      services.register(Ticket.self) {
        #expect(services.unregister(Ticket.self))
        services.register(Ticket.self) { OtherTicket("second") }
        let next = try services.createService(for: Ticket.self)
        #expect((next as? OtherTicket)?.label == "second")
        return OtherTicket("after \(shared.label)")
      }
    }
    #expect(UInt(bitPattern: registry_find(services.cell, typeKey(Ticket.self))) & 7 == 2)
    #expect((try services.createService(for: Ticket.self) as? OtherTicket)?.label == "after first")
    #expect(held == nil)
    for _ in 0..<3 { #expect((try services.createService(for: Ticket.self) as? OtherTicket)?.label == "second") }
  }

  @Test func `a lookup of a registered service in the table acquires no lock`() throws {
    let services = ServiceManager(onDiagnostic: problems.handler)
    services.register(Ticket.self) { OtherTicket() }
    _ = try services.createService(for: Ticket.self)
    let found = try #require(registry_find(services.cell, typeKey(Ticket.self)))
    let gate = UnsafeMutablePointer(mutating: (found - 2).assumingMemoryBound(to: registry_gate.self))
    #expect(gate.objects.entry.takeUnretainedValue().scope == .transient)
    services.core.state.withLock { _ in
      onThreads(1) { _ in #expect(throws: Never.self) { try services.createService(for: Ticket.self) } }
    }
  }

  @Test func `an error of the initializer names the implementation each time`() throws {
    let services = exported
    for _ in 0..<3 {
      let error = #expect(throws: ServiceError.self) { try services.createService(for: Visa.self) }
      #expect(error?.code == .initializerFailed && error?.service == "Visa" && error?.underlying is Refused)
      #expect(error?.description.contains("by 'RegistryTests.RefusedVisa' (") == true)
    }
  }

  @Test func `an error is thrown also from the table, and the next lookup succeeds`() throws {
    let parent = exported
    for services in [parent, ServiceManager(parent: parent)] {
      for _ in 0..<3 {
        _ = try services.createService(for: Permit.self)
        let error = OfficePermit.$isClosed.withValue(true) {
          #expect(throws: ServiceError.self) { try services.createService(for: Permit.self) }
        }
        #expect(error?.code == .initializerFailed && error?.service == "Permit" && error?.underlying is Refused)
        #expect(error?.description.contains("by 'RegistryTests.OfficePermit' (") == true)
      }
    }
  }

  @Test func `a service that resolves itself is a cycle once it is in the table`() throws {
    let services = exported
    for _ in 0..<3 {
      _ = try services.createService(for: Permit.self)
      let error = OfficePermit.$asks.withValue(services) {
        #expect(throws: ServiceError.self) { try services.createService(for: Permit.self) }
      }
      #expect(error?.stepNames.map(\.[0]) == ["Permit", "Permit"], "\(error as Any)")
    }
  }

  @Test func `a class that does not conform is instantiated once, and not for each lookup`() throws {
    let services = ServiceManager(
      records: .records { $0.name == "RegistryTests.CountedVisa" }, onDiagnostic: problems.handler)
    services.register(CountedVisa.self, priority: -1) { GoodVisa() }
    for _ in 0..<3 { #expect(try services.createService(for: CountedVisa.self) is GoodVisa) }
    #expect(CountedNonsense.made.value == 1)
    #expect(problems[.notConforming].count == 1)
  }

  @Test(arguments: [nil, "return"])
  func `the preferred implementation is used again after its class is loaded`(name: String?) throws {
    let services = ServiceManager(onDiagnostic: problems.handler)
    services.register(Ticket.self, named: name, priority: 1) { OtherTicket("best") }
    services.register(Ticket.self, named: name, priority: 0) { OtherTicket("next best") }
    let label = { (try services.createService(for: Ticket.self, named: name) as? OtherTicket)?.label }
    let group = try #require(services.core.state.withLock { $0.groups[GroupKey(Ticket.self)] })
    services.core.state.withLock { _ in
      group.entries[0].problem = group.entries[0].diagnostic(.error, .unknownClass, "no image has its class")
      group.updateSlot()
    }
    #expect(try label() == "next best")
    services.core.state.withLock { _ in
      group.entries[0].problem = nil
      group.updateSlot()
    }
    #expect(try label() == "best")
  }

  @Test(arguments: [ServiceScope.shared, .weak, .cached("session")])
  func `a lookup that finds no instance looks again if one exists when its turn begins`(scope: ServiceScope) throws {
    let services = ServiceManager(onDiagnostic: problems.handler)
    let made = Counter()
    services.register(Badge.self, scope: scope) {
      made.increment()
      return Badge()
    }
    let core = services.core
    let finding = try core.state.withLock { state in
      core.found(try #require(state.groups[GroupKey(Badge.self)]?.entries.first), [])
    }
    guard case .make = finding else {
      Issue.record("\(finding)")
      return
    }
    let held = try services.createService(for: Badge.self)
    let context = LookupContext(mustBeSendable: true, asked: .passUnretained(core))
    let late: Badge? = try core.follow(finding, context)
    #expect(late == nil && made.value == 1)
    #expect(try services.createService(for: Badge.self) === held)
  }

  @Test func `a conversion that was found before a reset is not kept`() throws {
    let services = ServiceManager(
      records: .records { $0.typeName == "RegistryTests.UserAccount" }, onDiagnostic: problems.handler)
    let old = try services.createService(for: Account.self)
    #expect(services.contains(Inbox.self))
    let core = services.core
    let finding = try core.state.withLock { state in
      core.found(try #require(state.groups[GroupKey(Inbox.self)]?.entries.first), [])
    }
    #expect(services.resetCache("session"))
    let context = LookupContext(mustBeSendable: true, asked: .passUnretained(core))
    let late: (any Inbox)? = try core.follow(finding, context)
    #expect(late === old)
    let new = try services.createService(for: Inbox.self)
    #expect(new !== old)
    #expect(try services.createService(for: Account.self) === new)
  }

  @Test func `a service that resolves itself is a cycle each time`() throws {
    for _ in 0..<3 {
      let error = #expect(throws: ServiceError.self) { try ServiceManager.shared.createService(for: CycleB.self) }
      #expect(error?.stepNames.map(\.[0]) == ["CycleB", "CycleA", "CycleB"], "\(error as Any)")
    }
  }

  @Test func `a parent creates a transient service for a child`() throws {
    let parent = exported
    let child = ServiceManager(parent: parent)
    for _ in 0..<3 { #expect(try child.createService(for: Ticket.self) is PaperTicket) }
    #expect(throws: ServiceError.self) { try child.createService(for: Visa.self) }
    child.register(Ticket.self) { OtherTicket() }
    for _ in 0..<3 { #expect(try child.createService(for: Ticket.self) is OtherTicket) }
  }

  @Test func `eight threads get separate instances while the service is replaced and removed`() throws {
    let services = exported
    let changes = Counter()
    onThreads(8) { thread in
      for round in 0..<300 {
        if thread == 0 {
          let registration = services.register(Ticket.self, replacing: round.isMultiple(of: 2)) { OtherTicket() }
          registration.cancel()
          changes.increment()
        } else {
          #expect(throws: Never.self) { try services.createService(for: Ticket.self) }
        }
      }
    }
    #expect(changes.value == 300)
  }
}
