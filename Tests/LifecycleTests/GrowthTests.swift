import Registry
import TestSupport
import Testing

@testable import Lifecycle

private final class Idle: Module {}

/// A module that adds others in its set-up, so that they are set up together.
private final class Adds: Module {
  static var add: (() -> Void)?
  func setUp(_ context: Context) { Self.add?() }
}

/// An operation with a number of modules, whose steps are counted.
private struct Scenario: CustomTestStringConvertible, Sendable {
  let testDescription: String
  let body: @MainActor @Sendable (Int, ModuleManager) throws -> Void

  init(_ name: String, _ body: @escaping @MainActor @Sendable (Int, ModuleManager) throws -> Void) {
    testDescription = name
    self.body = body
  }

  /// Starts a manager whose modules have no asynchronous phases, with these phases or without.
  @MainActor static func start(_ modules: ModuleManager, isAsync: Bool) throws {
    if isAsync { try modules.runInBackground { _ in } } else { try modules.start() }
  }

  /// Registers a module with a number that waits for others.
  @discardableResult @MainActor
  static func add(_ number: Int, to modules: ModuleManager, after: [Int] = []) -> Bool {
    let count = modules.registry.entries.all.count
    modules.register(named: "m\(number)", after: after.map { "m\($0)" }) { Idle() }
    return modules.registry.entries.all.count > count
  }

  static let all =
    [false, true].flatMap { isAsync in
      let run = isAsync ? " in a run" : " after a start"
      return [
        Scenario("registering under a name" + run) { count, modules in
          try start(modules, isAsync: isAsync)
          for number in 0..<count { #expect(add(number, to: modules)) }
        },
        Scenario("registering, with an event after each" + run) { count, modules in
          try start(modules, isAsync: isAsync)
          for number in 0..<count {
            #expect(add(number * 7919 % count, to: modules))
            modules.trigger(.ping)
          }
        },
        Scenario("registering, each after the next" + run) { count, modules in
          try start(modules, isAsync: isAsync)
          for number in 0..<count { #expect(add(number, to: modules, after: [number + 1])) }
        },
        Scenario("registering after an earlier removal" + run) { count, modules in
          try start(modules, isAsync: isAsync)
          for number in 0..<3 { add(number, to: modules, after: [number - 1]) }
          modules.unregister(named: "m1")
          for number in 3..<count { #expect(add(number, to: modules, after: [number + 1])) }
        },
        Scenario("unregistering half of a chain" + run) { count, modules in
          for number in 0..<count { add(number, to: modules, after: number == 0 ? [] : [number - 1]) }
          try start(modules, isAsync: isAsync)
          for number in 0..<count where number % 2 == 1 { #expect(modules.unregister(named: "m\(number)")) }
          modules.stop()
        },
        Scenario("removing and adding a module between two halves, and stopping" + run) { count, modules in
          let hub = count / 2
          for number in 0..<hub { add(number, to: modules) }
          for number in (hub + 1)..<count { add(number, to: modules, after: [hub]) }
          add(hub, to: modules, after: Array(0..<hub))
          try start(modules, isAsync: isAsync)
          for _ in 0..<3 {
            #expect(modules.unregister(named: "m\(hub)"))
            #expect(add(hub, to: modules, after: Array(0..<hub)))
          }
          #expect(modules.unregister(named: "m\(hub)"))
          modules.stop()
        },
        Scenario("adding handlers to an event that has many" + run) { count, modules in
          try start(modules, isAsync: isAsync)
          for number in 0..<21 * count {
            modules.on(.ping) { _ in }
            if number == 20 * count { modules.trigger(.ping) }
          }
          modules.trigger(.ping)
        },
        Scenario("adding groups, each module after the first one" + run) { count, modules in
          for number in 0..<count { add(number, to: modules, after: number == 0 ? [] : [0]) }
          try start(modules, isAsync: isAsync)
          for group in 1...4 {
            for number in 0..<count / 20 { add(9000 + group * 100 + number, to: modules, after: [0]) }
            modules.trigger(.ping)
          }
        },
      ]
    }
}

/// Tests that count the steps of loops over modules, and compare the count with the one for half as
/// many modules.
@Suite(.serialized) @MainActor struct GrowthTests {
  private func steps(_ count: Int, _ scenario: Scenario) throws -> Int {
    let modules = ModuleManager(onDiagnostic: { _ in })
    let before = Subscriber.steps
    defer { Adds.add = nil }
    try scenario.body(count, modules)
    modules.stop()
    #expect(modules.moduleNames.isEmpty)
    return Subscriber.steps - before
  }

  @Test(arguments: Scenario.all)
  fileprivate func `twice as many modules take about twice as many steps`(scenario: Scenario) throws {
    let (half, whole) = (try steps(200, scenario), try steps(400, scenario))
    #expect(half >= 100 && Double(whole) / Double(half) < 2.5, "\(half) and \(whole)")
  }

  @Test func `modules that all name each other are removed in pairs, and the last one stays`() throws {
    let problems = DiagnosticCollector()
    let modules = ModuleManager(onDiagnostic: problems.handler)
    let count = 41
    // Leak checks do not see the weak references to what a static property keeps alive.
    defer { Adds.add = nil }
    Adds.add = {
      for number in 0..<count { Scenario.add(number, to: modules, after: (0..<count).filter { $0 != number }) }
    }
    try modules.start()
    modules.register(Adds.self)
    #expect(modules.moduleNames.count == 2 && problems[.cycle].count == count - 1)
  }

  @Test func `a module that is removed and added repeatedly leaves one relay`() throws {
    let nodes = (0..<40).map { PhaseNode(number: $0) }
    let hub = PhaseNode(number: 40)
    for node in nodes[..<20] { node.depend(on: hub) }
    for node in nodes[20...] { hub.depend(on: node) }
    _ = hub.unlink()
    #expect(hub.relayedName != nil && nodes[0].dependencies.count == 1 && nodes[20].dependents.count == 1)
    let other = PhaseNode(number: 41)
    for node in nodes[..<20] { node.depend(on: other) }
    for node in nodes[20...] { other.depend(on: node) }
    #expect(other.isCovered(by: hub))
    nodes[0].depend(on: PhaseNode(number: 42))
    other.depend(on: nodes[1])
    #expect(!other.isCovered(by: hub))
    for node in nodes + [hub, other] { _ = node.unlink(connects: false) }
  }
}
