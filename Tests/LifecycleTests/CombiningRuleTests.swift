import Lifecycle
import Testing

extension CombiningRule where Outcome == Int {
  fileprivate static var sum: Self { .init(initial: 1) { $0 += $1 } }
}

private struct Refused: Error {}

@Suite @MainActor struct CombiningRuleTests {
  /// Returns the outcome of an event with a handler for each answer, and one that throws.
  private func outcome<Outcome>(_ answers: [Outcome], _ rule: CombiningRule<Outcome>) throws -> Outcome {
    let event = Event<Void, Outcome>("rules.event", combining: rule)
    let modules = ModuleManager(onDiagnostic: { _ in })
    for answer in answers { modules.on(event) { _ in answer } }
    modules.on(event) { _ in throw Refused() }
    try modules.start()
    return modules.trigger(event)
  }

  @Test(arguments: [
    ([], true, false), ([true], true, true), ([false], false, false), ([true, false], false, true),
    ([false, true], false, true), ([false, false], false, false),
  ])
  func `'all' lets each handler refuse, and 'any' lets each handler accept`(
    answers: [Bool], all: Bool, any: Bool
  ) throws {
    #expect(try outcome(answers, .all) == all)
    #expect(try outcome(answers, .any) == any)
  }

  @Test(
    arguments: [
      ([], nil, nil), ([nil, 1, nil, 2, nil], 1, 2), ([3], 3, 3), ([nil, nil], nil, nil),
    ] as [([Int?], Int?, Int?)])
  func `'first' and 'last' ignore answers without a value`(answers: [Int?], first: Int?, last: Int?) throws {
    #expect(try outcome(answers, .first) == first)
    #expect(try outcome(answers, .last) == last)
  }

  @Test func `'collect' concatenates in the order of handlers, and 'union' merges`() throws {
    #expect(try outcome([["a", "b"], [], ["a"]], .collect) == ["a", "b", "a"])
    #expect(try outcome(["a", "b"], .collect) == "ab")
    #expect(try outcome([], .collect) == [Int]())
    #expect(try outcome([[1, 2], [2, 3]], .union) == Set([1, 2, 3]))
    #expect(try outcome([], .union) == Set<Int>())
  }

  @Test func `A client's rule begins with its initial value`() throws {
    #expect(try outcome([], .sum) == 1)
    #expect(try outcome([2, 3], .sum) == 6)
  }

  @Test(.timeLimit(.minutes(20))) func `An asynchronous event uses the rule as well`() async throws {
    let event = AsyncEvent<Void, Bool>("rules.async", combining: .all)
    let modules = ModuleManager()
    modules.on(event) { _ in
      await Task.yield()
      return true
    }
    modules.on(event) { _ in false }
    try modules.start()
    #expect(await modules.trigger(event) == false)
  }
}
