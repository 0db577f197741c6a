import TestSupport
import Testing

@testable import Registry

private protocol Crowd: Sendable {}
private struct Member: Crowd {}

/// Tests of work whose time would grow with the square of the number of implementations.
///
/// The rows `growth` of `Benchmarks` measure how it grows.
@Suite(.timeLimit(.minutes(20))) struct GrowthTests {
  private func entry(priority: Int, order: Int) -> ServiceEntry {
    ServiceEntry(
      service: "Crowd", implementation: "", location: "", name: nil, scope: .transient,
      rank: Rank(batch: 1, priority: priority, order: order), standing: .live)
  }

  @Test func `a list of implementations is in order after any changes, each of which moves few`() {
    let seed = Effort.seed
    var generator = SeededGenerator(seed: UInt64(seed))
    for priority in [{ _ in 0 }, { $0 }, { -$0 }, { _ in generator.below(1_000) }] as [(Int) -> Int] {
      var list = RankedEntries()
      var model: [ServiceEntry] = []
      func check() {
        #expect(list.all.map(\.rank) == model.map(\.rank), "REGISTRY_SEED=\(seed)")
        #expect(list.head.count <= 256 && list.tail.allSatisfy { !$0.isEmpty && $0.count <= 256 })
      }
      for order in 0..<3_000 {
        let entry = entry(priority: priority(order), order: order)
        let index = list.insert(entry)
        #expect(index == model.firstIndex { entry.rank < $0.rank } ?? model.count)
        model.insert(entry, at: index)
        if generator.one(in: 4) {
          let index = generator.below(model.count)
          #expect(list.entry(of: model[index].rank) === model[index])
          #expect(list.remove(model.remove(at: index)) == index)
        }
      }
      check()
      let start = generator.below(model.count)
      func isChosen(_ entry: ServiceEntry) -> Bool { entry.rank.order.isMultiple(of: 7) }
      #expect(list.first(from: start, where: isChosen)?.entry === model[start...].first(where: isChosen))
      while !model.isEmpty { _ = list.remove(model.remove(at: generator.below(model.count))) }
      check()
      #expect(list.isEmpty && list.first == nil)
    }
  }

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
      let report = services.report()
      #expect(report.registrations.count == count && report.registrations.allSatisfy(\.isSelected))
      for number in 0..<count { #expect(services.unregister(Crowd.self, named: "\(number)")) }
    }
    #expect(try visits(4_000, work) <= 8 * 4_000)
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
}
