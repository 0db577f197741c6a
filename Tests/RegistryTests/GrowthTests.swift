import RegistryReports
import TestSupport
import TestWaits
import Testing

@testable import Registry

private protocol Crowd: Sendable {}
private struct Member: Crowd {}
private final class Stranger: Sendable {}

/// Tests of work whose time would grow with the square of the number of implementations.
///
/// The rows `growth` of `Benchmarks` measure how it grows.
@Suite(.timeLimit(.minutes(20))) struct GrowthTests {
  private func entry(
    priority: Int, order: Int, _ implementation: String = "", _ options: ExportOptions? = nil
  ) -> ServiceEntry {
    ServiceEntry(
      service: "Crowd", name: nil, scope: .transient, origin: .code(implementation, location: ""),
      rank: Rank(batch: 1, priority: priority, order: order), options: options)
  }

  @Test func `implementations are in order after any changes`() {
    let seed = Effort.seed
    var generator = SeededGenerator(seed: UInt64(seed))
    let services = ServiceManager { _ in }
    for priority in [{ _ in 0 }, { $0 }, { -$0 }, { _ in generator.below(1_000) }] as [(Int) -> Int] {
      let group = ServiceGroup(key: GroupKey(Crowd.self), cell: services.core.cell)
      var model: [ServiceEntry] = []
      for order in 0..<3_000 {
        let entry = entry(priority: priority(order), order: order)
        _ = group.add([entry])
        model.insert(entry, at: model.firstIndex { entry.rank < $0.rank } ?? model.count)
        if generator.one(in: 4) {
          let removed = model.remove(at: generator.below(model.count))
          #expect(group.remove(removed).first === removed)
        }
        #expect(group.preferred(named: nil) === model.first, "REGISTRY_SEED=\(seed)")
      }
      #expect(group.entries.map(\.rank) == model.map(\.rank), "REGISTRY_SEED=\(seed)")
      while !model.isEmpty { _ = group.remove(model.remove(at: generator.below(model.count))) }
      #expect(group.entries.isEmpty && group.preferred(named: nil) == nil)
    }
  }

  private actor Place {
    func fail(_ entry: ServiceEntry) { entry.setIsolationProblem(entry.diagnostic(.error, .notConforming, "")) }
    func canUse(_ entry: ServiceEntry) -> Bool { entry.isUsableHere }
  }

  @Test func `an implementation remembers the last sixteen executors that cannot use it`() async {
    let (entry, places) = (entry(priority: 0, order: 1), (0..<17).map { _ in Place() })
    for place in places { await place.fail(entry) }
    let (first, last) = (await places[0].canUse(entry), await places[16].canUse(entry))
    #expect(first && !last)
  }

  #if DEBUG
  @Test func `a group remembers only some names of failed lookups`() {
    let services = ServiceManager { _ in }
    for number in 0..<100 { _ = try? services.createService(for: Crowd.self, named: "\(number)") }
    #expect(services.core.state.withLock { $0.groups[GroupKey(Crowd.self)]?.failedNames.count } == 20)
  }
  #endif

  /// Returns the number of implementations that a closure's work with a number of them visits.
  private func visits(_ count: Int, _ work: (ServiceManager, Int) throws -> Void) throws -> Int {
    let services = ServiceManager { _ in }
    try work(services, count)
    return try services.core.state.withLock { try #require($0.groups[GroupKey(Crowd.self)]).visits }
  }

  @Test func `implementations that replace each other are not compared with all earlier ones`() throws {
    func work(_ services: ServiceManager, _ count: Int) {
      let tokens = (0..<count).map { _ in services.register(Crowd.self, replacing: true) { Member() } }
      for token in tokens { #expect(token.cancel()) }
      #expect(throws: ServiceError.self) { try services.createService(for: Crowd.self) }
    }
    #expect(try visits(4_000, work) <= 8 * 4_000)
  }

  @Test func `names of one service do not make changes, errors, or reports slow`() throws {
    func work(_ services: ServiceManager, _ count: Int) {
      for number in 0..<count { services.register(Crowd.self, named: "\(number)") { Member() } }
      for _ in 0..<count { _ = try? services.createService(for: Crowd.self) }
      let lines = "\(services.report())".split(separator: "\n")
      #expect(lines.count { $0.hasPrefix("    selected: ") } == count)
      #expect(!lines.contains { $0.contains("not selected") })
      for number in 0..<count { #expect(services.unregister(Crowd.self, named: "\(number)")) }
    }
    #expect(try visits(4_000, work) <= 8 * 4_000)
  }

  @Test func `an optional property without a service does not search for the reason`() throws {
    func work(_ services: ServiceManager, _ count: Int) {
      for number in 0..<count { services.register(Crowd.self, named: "\(number)") { Member() } }
      for _ in 0..<count {
        let stranger: Stranger? = __injectedIfPresent(in: services, "Crowds.Place", "Crowds/Place.swift:1:1")
        #expect(stranger == nil)
      }
    }
    #expect(try visits(1_000, work) <= 8 * 1_000)
  }

  @Test func `implementations are in order after any changes, also with replacements`() {
    let seed = Effort.seed
    var generator = SeededGenerator(seed: UInt64(seed))
    let services = ServiceManager { _ in }
    let group = ServiceGroup(key: GroupKey(Crowd.self), cell: services.core.cell)
    var model: [ServiceEntry] = []
    for order in 0..<600 {
      let attributes = ServiceAttributes()
      if generator.one(in: 8) { attributes.replaces = "class \(generator.below(12))" }
      let entry = entry(
        priority: generator.below(3), order: order, "class \(generator.below(40))",
        attributes.replaces == nil ? nil : ExportOptions(attributes, nil))
      _ = group.add([entry])
      model.append(entry)
      if generator.one(in: 3) { _ = group.remove(model.remove(at: generator.below(model.count))) }
      let entries = group.entries
      #expect(entries.map(\.rank) == ReplacementOrder(model).entries.map(\.rank), "REGISTRY_SEED=\(seed)")
    }
  }

  @Test func `the first implementation that is added after others ties with those of its rank only`() {
    let problems = DiagnosticCollector()
    let services = ServiceManager(onDiagnostic: problems.handler)
    services.register(Crowd.self, line: 1) { Member() }
    let second = services.register(Crowd.self, priority: 1, line: 2) { Member() }
    #expect(problems.codes == [])
    services.register(Crowd.self, priority: 1, line: 3) { Member() }
    #expect(problems[.tie].count == 1)
    second.cancel()
    services.register(Crowd.self, priority: 1, line: 4) { Member() }
    #expect(problems[.tie].count == 2 && problems[.tie].last?.message.contains(":3 and") == true)
    services.register(Crowd.self, priority: 0, line: 5) { Member() }
    services.register(Crowd.self, replacing: true, line: 6) { Member() }
    #expect(problems.codes.count == 2)
  }

  @Test func `a sequence of changes that ends leaves no listener in a manager or its parents`() {
    let parent = ServiceManager()
    let managers = [parent, ServiceManager(parent: parent)]
    var listeners: [Int] { managers.map { $0.core.state.withLock { $0.contributions.listeners.count } } }
    let key = ContributionPoint<[Int]>("numbers").key
    var changes: AsyncStream<Void>? = managers[1].core.changes(of: key)
    #expect(changes != nil && listeners == [1, 1])
    changes = nil
    #expect(listeners == [0, 0])
    // A test scope has its own listeners, which changes outside do not notify.
    managers[1].withTestScope {
      let inside = managers[1].core.changes(of: key)
      #expect(listeners == [0, 0])
      let copies = managers.map { $0.core.current.state.withLock { $0.contributions.listeners.count } }
      withExtendedLifetime(inside) { #expect(copies == [1, 1]) }
    }
  }

  @Test func `a slow reader of a list receives the latest value only`() async throws {
    let services = ServiceManager { _ in }
    let point = ContributionPoint<[Int]>("growth.slow")
    let made = Counter()
    let lists = services.contributionChanges(to: point)
    for count in 1...3 {
      services.contribute(to: point) { made.increment() }
      try await until("the value is created") { made.value == count }
    }
    // The list of the last value may not have been delivered yet.
    var iterator = lists.makeAsyncIterator()
    #expect((await iterator.next()?.count ?? 0) >= 2)
    withExtendedLifetime(services) {}
  }

  @Test func `a sequence of contributions ends with its manager, and its task with its reader`() async throws {
    let point = ContributionPoint<[Int]>("numbers")
    var services: ServiceManager? = ServiceManager()
    let lists = services!.contributionChanges(to: point)
    var others: AsyncStream<[Int]>? = services!.contributionChanges(to: point)
    #expect(others != nil)
    others = nil
    try await until("the task of the other sequence has ended") {
      services!.core.state.withLock { $0.contributions.listeners.count } == 1
    }
    let ends = Counter()
    Task {
      for await _ in lists {}
      ends.increment()
    }
    services = nil
    try await until("the sequence has ended") { ends.value == 1 }
  }
}
