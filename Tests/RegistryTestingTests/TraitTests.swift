import Registry
import RegistryTesting
import TestSupport
import Testing

private let shared = ServiceManager.shared

@Suite(
  .services {
    $0.override(Shelf.self) { Fake(label: "suite's shelf") }
    $0.allowLive(Ledger.self)
  }, .timeLimit(.minutes(20)))
struct ServicesTraitTests {
  /// The label of the shelf, which each test looks up in its own scope.
  let shelf = label(Shelf.self) { $0.label }

  @Test func `a suite's overrides hold in its tests`() throws {
    #expect(shelf == "suite's shelf")
    #expect(try shared.createService(for: Shelf.self).label == "suite's shelf")
  }

  @Test(
    .services {
      $0.override(Shelf.self) { Fake(label: "test's shelf") }
      $0.allowLive(Till.self)
    })
  func `a test's overrides come before its suite's, and reach what live services look up`() throws {
    #expect(shelf == "test's shelf")
    #expect(try shared.createService(for: Till.self).label == "live till by test's shelf")
    #expect(try shared.createServices(for: Shelf.self).map(\.label) == ["test's shelf"])
  }

  @Test(.services { $0.override(Till.self, with: Fake(label: "test's till")) })
  func `a test has its suite's overrides beside its own`() throws {
    #expect(try shared.createService(for: Till.self).label == "test's till")
    #expect(try shared.createService(for: Shelf.self).label == "suite's shelf")
  }

  @Test(arguments: 0..<8)
  func `every case of a parameterised test has instances of its own`(_: Int) async throws {
    #expect(try shared.createService(for: Ledger.self).add() == 1)
    await Task.yield()
    #expect(try shared.createService(for: Ledger.self).add() == 2)
  }

  @Test(.services { $0.override(Ledger.self, scope: .shared) { LiveLedger() } }, arguments: 0..<8)
  func `and so has it of what a trait shares`(_: Int) async throws {
    #expect(try shared.createService(for: Ledger.self).add() == 1)
    await Task.yield()
    #expect(try await Task { try shared.createService(for: Ledger.self).add() }.value == 2)
  }

  @Suite(.services { $0.override(Till.self) { Fake(label: "inner suite's till") } })
  struct InnerTests {
    @Test func `a suite in a suite has both suites' overrides`() throws {
      #expect(try shared.createService(for: Till.self).label == "inner suite's till")
      #expect(try shared.createService(for: Shelf.self).label == "suite's shelf")
    }
  }

  @Test func `what a test registers no other sees`() throws {
    #expect(!shared.contains(Till.self))
    shared.register(Till.self, replacing: true) { Fake(label: "registered") }
    #expect(try shared.createService(for: Till.self).label == "registered")
  }
}

@Suite(.timeLimit(.minutes(20))) struct StrictTraitTests {
  /// Runs a trait around a closure, as the library does around a test, and returns the recorded
  /// issues.
  private func issues(_ trait: ServicesTrait, _ body: @escaping @Sendable () throws -> Void) async throws -> [Issue] {
    let issues = Locked<[Issue]>([])
    try await withKnownIssue(isIntermittent: true) {
      let test = try #require(Test.current)
      try await trait.provideScope(for: test, testCase: Test.Case.current) { try body() }
    } matching: { issue in
      issues.withLock { $0.append(issue) }
      return true
    }
    return issues.withLock { $0 }
  }

  @Test func `a look-up that nobody mentioned fails the test where it stands, though its error is dropped`()
    async throws
  {
    let found = try await issues(.services()) { _ = label(Till.self) { $0.label } }
    #expect(found.count == 1)
    let issue = try #require(found.first)
    guard
      case .liveService("RegistryTestingTests.Till", nil, "RegistryTestingTests.LiveTill", _?) = issue.error
        as? ServiceError
    else {
      Issue.record("\(issue)")
      return
    }
    #expect(issue.sourceLocation?.line == Test.current?.sourceLocation.line)
    #expect(issue.sourceLocation?.fileID.hasSuffix("TraitTests.swift") == true)
  }

  @Test func `an error that the test lets through fails it once`() async throws {
    let found = try await issues(.services()) { _ = try shared.createService(for: Till.self) }
    #expect(found.count == 1)
  }

  @Test func `another strict manager's error is not taken for the trait's`() async throws {
    let other = ServiceManager()
    let found = try await issues(.services()) {
      try other.withTestScope(.strict) { _ = try other.createService(for: Till.self) }
    }
    #expect(found.count == 1)
  }

  @Test func `lenient lets live services be used`() async throws {
    let found = try await issues(.services(.lenient)) {
      #expect(label(Till.self) { $0.label } == "live till by live shelf")
    }
    #expect(found.isEmpty)
  }

  @Test(.services(.lenient))
  func `a trait in a trait is as strict as the outer one`() async throws {
    let found = try await issues(.services()) {
      #expect(label(Till.self) { $0.label } == "live till by live shelf")
    }
    #expect(found.isEmpty)
    let strict = try await issues(.services(.strict)) { #expect(label(Till.self) { $0.label } == nil) }
    #expect(strict.count == 1)
  }

  @Test func `a trait may be for another manager`() async throws {
    let services = ServiceManager()
    services.register(Shelf.self) { Fake(label: "own") }
    let found = try await issues(.services(in: services) { $0.override(Till.self) { Fake(label: "fake") } }) {
      () throws in
      #expect(try services.createService(for: Till.self).label == "fake")
      #expect((try? services.createService(for: Shelf.self)) == nil)
    }
    #expect(found.count == 1)
  }

  @Test func `collecting that throws fails the test`() async throws {
    struct NoFixture: Error {}
    let found = try await issues(.services { _ in throw NoFixture() }) { Issue.record("it ran") }
    #expect(found.count == 1 && found.first?.error is NoFixture)
  }
}
