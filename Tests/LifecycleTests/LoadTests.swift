import Registry
import TestSupport
import Testing

@testable import Lifecycle

// Types with numbers as type arguments provide many modules without code for each of them. Each
// argument is a digit.
private protocol Digit: SendableMetatype {}
private enum D0: Digit {}
private enum D1: Digit {}
private enum D2: Digit {}
private enum D3: Digit {}
private enum D4: Digit {}
private enum D5: Digit {}
private enum D6: Digit {}
private enum D7: Digit {}
private enum D8: Digit {}
private enum D9: Digit {}

@MainActor private var calls = 0

extension Event where Payload == Int, Outcome == Bool {
  fileprivate static var load: Self { .init("load.everybody", combining: .any) }
}

private final class Many<A: Digit, B: Digit, C: Digit>: Module {
  static func subscribe(_ events: Subscriptions<Many<A, B, C>>) {
    events.on(.load) { _, step, _ in
      calls += step
      return true
    }
  }
}

/// Returns the last digit of a number as a type.
private func digit(_ number: Int) -> any Digit.Type {
  switch number % 10 {
  case 0: D0.self
  case 1: D1.self
  case 2: D2.self
  case 3: D3.self
  case 4: D4.self
  case 5: D5.self
  case 6: D6.self
  case 7: D7.self
  case 8: D8.self
  default: D9.self
  }
}

private func numbered<A: Digit, B: Digit, C: Digit>(_: A.Type, _: B.Type, _: C.Type) -> any Module.Type {
  Many<A, B, C>.self
}

/// Returns the type of the module with a number below 1,000.
private func moduleType(_ number: Int) -> any Module.Type {
  let (a, b, c) = (digit(number / 100), digit(number / 10), digit(number))
  return numbered(a, b, c)
}

/// Tests with many modules, in sizes that a debug build handles quickly. The rows `growth` of
/// `Benchmarks` use larger ones.
@MainActor @Suite(.serialized) struct LoadTests {
  private let types = (0..<1_000).map { moduleType($0) }

  private func name(_ number: Int) -> String { recordName(of: types[number]) }

  @Test func `a thousand modules are set up, called, and torn down, also if they are added late`()
    throws
  {
    for isLate in [false, true] {
      let problems = DiagnosticCollector()
      let manager = ModuleManager(onDiagnostic: problems.handler)
      if isLate { try manager.start() }
      for (number, type) in types.enumerated() {
        #expect(manager.adds { $0.register(type, after: number > 0 ? [name(number - 1)] : []) })
      }
      if !isLate { try manager.start() }
      #expect(manager.moduleNames == types.indices.map(name))
      calls = 0
      #expect(manager.trigger(.load, 1))
      #expect(calls == types.count)
      for type in types { #expect(manager.unregister(type)) }
      #expect(manager.moduleNames.isEmpty)
      #expect(!manager.trigger(.load, 1))
      #expect(problems.diagnostics.isEmpty)
    }
  }

  @Test func `modules that are added one by one have the same order as modules that are added together`() throws {
    let seed = Effort.seed
    var generator = SeededGenerator(seed: UInt64(seed))
    for _ in 0..<20 {
      // Each module names some earlier ones, and the modules are registered in another order.
      let ranks = (0..<40).shuffled(using: &generator)
      let all = ranks.map { rank in
        (
          type: types[rank], priority: generator.below(3), level: rank % 7 == 0 ? ModuleLevel.basic : .normal,
          after: (0..<rank).filter { _ in generator.one(in: 12) }.map(name)
        )
      }
      let (together, late) = (ModuleManager { _ in }, ModuleManager { _ in })
      try late.start()
      for module in all {
        for manager in [together, late] {
          #expect(
            manager.adds {
              $0.register(module.type, level: module.level, priority: module.priority, after: module.after)
            })
        }
      }
      try together.start()
      #expect(late.moduleNames == together.moduleNames, "REGISTRY_SEED=\(seed)")
      #expect(late.moduleNames.count == all.count)
    }
  }

  @Test func `a cycle that the last of many late modules completes is found, and only that one is dropped`() throws {
    let problems = DiagnosticCollector()
    let manager = ModuleManager(onDiagnostic: problems.handler)
    try manager.start()
    for number in 0..<100 {
      let isSetUp = manager.adds { $0.register(types[number], after: [name((number + 1) % 100)]) }
      #expect(isSetUp == (number < 99))
    }
    #expect(problems[.cycle].map(\.subject) == [name(99)])
    // The message contains only the ends of the cycle of a hundred names.
    #expect(problems[.cycle].first?.message.contains("… 81 more …") == true)
    #expect(manager.moduleNames.count == 99)
    // Without one of these modules there is no cycle.
    #expect(manager.unregister(types[0]))
    #expect(manager.adds { $0.register(types[99], after: [name(0)]) })
    #expect(manager.moduleNames.count == 99)
  }

  @Test func `a late module that names itself in after is dropped`() throws {
    let problems = DiagnosticCollector()
    let manager = ModuleManager(onDiagnostic: problems.handler)
    try manager.start()
    #expect(!manager.adds { $0.register(types[0], after: [name(0)]) })
    #expect(problems[.cycle].count == 1)
    #expect(manager.adds { $0.register(types[0]) })
  }

  @Test func `a cycle of many modules is thrown with its path, and its messages are short`() throws {
    let problems = DiagnosticCollector()
    let manager = ModuleManager(onDiagnostic: problems.handler)
    for number in types.indices { manager.register(types[number], after: [name((number + 1) % types.count)]) }
    let error = try #require(throws: ModuleError.self) { try manager.start() }
    #expect(error.code == .cycle)
    #expect(error.modules.count == types.count + 1 && Set(error.modules).count == types.count)
    #expect(problems[.cycle].count == types.count)
    #expect(problems[.cycle].allSatisfy { $0.message.utf8.count < 5_000 })
  }

  @Test func `unknown names in after are reported once each, the first ones with a suggestion`() throws {
    let count = 300
    let collector = DiagnosticCollector()
    let manager = ModuleManager(onDiagnostic: collector.handler)
    for number in 0..<count { manager.register(types[number], after: [name(number) + "s"]) }
    try manager.start()
    // Each of these changes computes the order again.
    for _ in 0..<3 {
      manager.unregister(types[0])
      manager.register(types[0])
      #expect(manager.moduleNames.count == count)
    }
    let heard = collector[.unknownAfter]
    #expect(heard.count == count)
    #expect(Set(heard.map(\.subject)).count == count)
    #expect(heard.filter { $0.message.contains("did you mean") }.count == 100)
  }

  @Test func `adding and removing modules repeatedly leaves nothing behind`() throws {
    let manager = ModuleManager { _ in }
    for round in 0..<2 {
      for number in 0..<300 {
        let after = [name((number + 7) % 300), "Nobody.Module\(number)"]
        #expect(manager.adds { $0.register(types[number], after: after) })
        #expect(manager.unregister(types[number]))
      }
      #expect(manager.registry.pending.isEmpty && manager.registry.entries.isEmpty)
      #expect((manager.registry.awaited ?? [:]).isEmpty)
      if round == 0 { try manager.start() }
    }
  }
}
