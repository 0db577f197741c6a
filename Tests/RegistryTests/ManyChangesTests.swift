import Foundation
import Registry
import TestSupport
import Testing

/// An instance that contains its key and the number of its registration.
private final class Version<Key>: Sendable {
  let key: Int
  let number: Int

  init(_ key: Int, _ number: Int) {
    self.key = key
    self.number = number
  }
}

private protocol Mark {}
private enum M0: Mark {}
private enum M1: Mark {}
private enum M2: Mark {}
private enum M3: Mark {}
private enum M4: Mark {}
private enum M5: Mark {}
private enum M6: Mark {}
private enum M7: Mark {}
private enum M8: Mark {}
private enum M9: Mark {}
private enum Pair<First, Second> {}

/// A service without its type.
private struct Service: Sendable {
  let register: @Sendable (ServiceManager, Int) -> RegistrationToken
  let contains: @Sendable (ServiceManager) -> Bool
  let find: @Sendable (ServiceManager) -> (key: Int, number: Int)?

  init<Key>(_ type: Key.Type, _ key: Int) {
    register = { manager, number in
      manager.register(Version<Key>.self, scope: .shared, replacing: true) { Version<Key>(key, number) }
    }
    contains = { $0.contains(Version<Key>.self) }
    find = { manager in
      (try? manager.createService(for: Version<Key>.self)).map { ($0.key, $0.number) }
    }
  }

  /// A list of a hundred services.
  static let list: [Service] = {
    let marks: [any Mark.Type] = [
      M0.self, M1.self, M2.self, M3.self, M4.self, M5.self, M6.self, M7.self, M8.self, M9.self,
    ]
    func list<First: Mark>(_ first: First.Type, _ row: Int) -> [Service] {
      func service<Second: Mark>(_ second: Second.Type, _ column: Int) -> Service {
        Service(Pair<First, Second>.self, 10 * row + column)
      }
      return marks.enumerated().map { column, second in service(second, column) }
    }
    return marks.enumerated().flatMap { row, first in list(first, row) }
  }()
}

@Suite struct ManyChangesTests {
  @Test func `readers get correct results during 10,000 registrations, replacements, and removals`() {
    let services = ServiceManager(onDiagnostic: { _ in })
    // The services do not fit into the first two tables.
    let list = Service.list
    // The first half is always registered.
    let lasting = 50
    for service in list.prefix(lasting) { _ = service.register(services, 0) }
    let (isOver, wrong, found) = (Counter(), Trace(), Counter())
    onThreads(4) { worker in
      if worker == 0 {
        change(services, list, lasting, wrong)
        isOver.increment()
        return
      }
      var newest = [Int](repeating: -1, count: list.count)
      var round = 0
      while isOver.value == 0 || round < 2 {
        for (key, service) in list.enumerated() {
          // A failed lookup searches for similar names, which takes time.
          guard key < lasting || service.contains(services), let version = service.find(services) else {
            if key < lasting { wrong.add("service \(key) was not found") }
            continue
          }
          if version.key != key { wrong.add("service \(key) is \(version.key)") }
          // A replacement has a higher number, so no reader can find an older version afterwards.
          if version.number < newest[key] { wrong.add("service \(key) went back to version \(version.number)") }
          newest[key] = version.number
        }
        round += 1
      }
      found.increment()
    }
    #expect(wrong.lines.prefix(10) == [])
    #expect(found.value == 3)
  }

  /// Makes ten thousand changes, and looks the changed service up after each of them.
  private func change(_ services: ServiceManager, _ list: [Service], _ lasting: Int, _ wrong: Trace) {
    var registrations = [RegistrationToken?](repeating: nil, count: list.count)
    for change in 1...10_000 {
      let key = change * 31 % list.count
      let before = registrations[key]
      if key >= lasting, change % 2 == 0 {
        before?.cancel()
        registrations[key] = nil
        if list[key].contains(services) { wrong.add("service \(key) is there after it was removed") }
      } else {
        registrations[key] = list[key].register(services, change)
        before?.cancel()
        if list[key].find(services)?.number != change { wrong.add("service \(key) is not what replaced it") }
      }
    }
  }

  /// Checks a race between two lookups.
  ///
  /// A thread can read the table just before the other creates the instance, and wait for its turn
  /// just afterwards.
  @Test func `a shared service that two threads resolve at once is created once, thousands of times`() {
    let rounds = Effort.count("ROUNDS", default: 2_000)
    let made = Counter()
    let managers = (0..<rounds).map { _ in
      let services = ServiceManager(onDiagnostic: { _ in })
      services.register(Version<M0>.self, scope: .shared) { Version<M0>(0, made.increment()) }
      return services
    }
    let (arrivals, found) = (Counter(), Trace())
    onThreads(2) { _ in
      var numbers: [Int] = []
      for (round, services) in managers.enumerated() {
        arrivals.increment()
        while arrivals.value < 2 * (round + 1) { sched_yield() }
        numbers.append((try? services.createService(for: Version<M0>.self))?.number ?? -1)
      }
      found.add("\(numbers)")
    }
    #expect(made.value == rounds)
    #expect(Set(found.lines).count == 1)
  }
}
