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

  @Test func `the overrides of a suite apply in its tests`() throws {
    #expect(shelf == "suite's shelf")
    #expect(try shared.createService(for: Shelf.self).label == "suite's shelf")
  }

  @Test(
    .services {
      $0.override(Shelf.self) { Fake(label: "test's shelf") }
      $0.allowLive(Till.self)
    })
  func `overrides of a test come before those of its suite, and apply inside live services`() throws {
    #expect(shelf == "test's shelf")
    #expect(try shared.createService(for: Till.self).label == "live till by test's shelf")
    #expect(try shared.createServices(for: Shelf.self).map(\.label) == ["test's shelf"])
  }

  @Test(.services { $0.override(Till.self) { Fake(label: "test's till") } })
  func `a test has its own overrides and those of its suite`() throws {
    #expect(try shared.createService(for: Till.self).label == "test's till")
    #expect(try shared.createService(for: Shelf.self).label == "suite's shelf")
  }

  @Test(.services) func `the trait needs no parentheses`() throws {
    #expect(!shared.contains(Till.self))
    #expect(try shared.createService(for: Shelf.self).label == "suite's shelf")
  }

  @Test(arguments: 0..<8)
  func `each case of a parameterized test has its own instances`(_: Int) async throws {
    #expect(try shared.createService(for: Ledger.self).add() == 1)
    await Task.yield()
    #expect(try shared.createService(for: Ledger.self).add() == 2)
  }

  @Test(.services { $0.override(Ledger.self, scope: .shared) { LiveLedger() } }, arguments: 0..<8)
  func `each case of a parameterized test has its own instance of a trait's shared override`(_: Int) async throws {
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

  @Test func `the registrations of a test are invisible to other tests`() throws {
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

  @Test func `a live lookup fails the test at its line, although its error is ignored`()
    async throws
  {
    let found = try await issues(.services()) { _ = label(Till.self) { $0.label } }
    #expect(found.count == 1)
    let issue = try #require(found.first)
    let error = try #require(issue.error as? ServiceError)
    #expect(error.code == "live-service" && error.service == "RegistryTestingTests.Till")
    #expect(error.description.hasPrefix("'RegistryTestingTests.Till' is neither overridden"))
    #expect(error.description.contains("allow 'RegistryTestingTests.LiveTill' ("))
    #expect(issue.sourceLocation?.line == Test.current?.sourceLocation.line)
    #expect(issue.sourceLocation?.fileID.hasSuffix("TraitTests.swift") == true)
  }

  @Test func `an error that the test rethrows fails the test once`() async throws {
    // If the till is live, its initializer rethrows the error for the shelf.
    for trait in [ServicesTrait.services(), .services, .services { $0.allowLive(Till.self) }] {
      let found = try await issues(trait) { _ = try shared.createService(for: Till.self) }
      #expect(found.count == 1)
    }
  }

  @Test func `an error of another strict manager is not attributed to the trait`() async throws {
    let other = ServiceManager()
    let found = try await issues(.services()) {
      try other.withTestScope(.strict) { _ = try other.createService(for: Till.self) }
    }
    #expect(found.count == 1)
  }

  @Test func `a lenient trait allows live services`() async throws {
    let found = try await issues(.services(.lenient)) {
      #expect(label(Till.self) { $0.label } == "live till by live shelf")
    }
    #expect(found.isEmpty)
  }

  @Test(.services(.lenient))
  func `a nested trait is as strict as the outer one`() async throws {
    let found = try await issues(.services()) {
      #expect(label(Till.self) { $0.label } == "live till by live shelf")
    }
    #expect(found.isEmpty)
    let strict = try await issues(.services(.strict)) { #expect(label(Till.self) { $0.label } == nil) }
    #expect(strict.count == 1)
  }

  @Test func `a trait can apply to another manager`() async throws {
    let services = ServiceManager()
    services.register(Shelf.self) { Fake(label: "own") }
    let found = try await issues(.services(in: services) { $0.override(Till.self) { Fake(label: "fake") } }) {
      () throws in
      #expect(try services.createService(for: Till.self).label == "fake")
      #expect((try? services.createService(for: Shelf.self)) == nil)
    }
    #expect(found.count == 1)
  }

  @Test func `an error while overrides are collected fails the test`() async throws {
    struct NoFixture: Error {}
    let found = try await issues(.services { _ in throw NoFixture() }) { Issue.record("it ran") }
    #expect(found.count == 1 && found.first?.error is NoFixture)
  }
}
