import Lifecycle
import LifecycleTracing
import Measuring

@MainActor let eventBenchmarks =
  [
    Benchmark("event.100") { name, effort in
      try Dispatching(Tickers.types).compare(
        name, effort, goal: .ratio(1.3), triggerHundred, handlers: 100, Tickers.hundred())
    },
    // Compares handlers that a timeline records with the same handlers without a timeline.
    Benchmark("event.100.traced") { name, effort in
      let traced = try Dispatching(Tickers.types)
      let timeline = LifecycleTimeline(limit: .max)
      timeline.observe(traced.manager)
      let plain = try Dispatching(Tickers.types)
      return try effort.compare(
        name, checksum: { 2 * events($0) * 100 },
        ours: { count in
          timeline.clear()
          return triggerHundred(events(count), traced) &+ timeline.entries.count
        },
        baseline: { 2 &* triggerHundred(events($0), plain) })
    },
    Benchmark("event.1") { name, effort in
      try Dispatching([LoneTicker.self]).compare(name, effort, goal: .ratio(5), triggerOne, handlers: 1, [LoneTicker()])
    },
    // The manager reads modules from images, so each event checks for loaded and unloaded images.
    // The baseline is a manager that reads no images.
    Benchmark("event.1.look") { name, effort in
      let (looking, other) = (try Dispatching([LoneTicker.self], looks: true), try Dispatching([LoneTicker.self]))
      return try effort.compare(
        name, goal: .ratio(1.5), checksum: { $0 }, ours: { triggerOne($0, looking) },
        baseline: { triggerOne($0, other) })
    },
    Benchmark("event.0") { name, effort in
      let dispatching = try Dispatching(Tickers.types)
      return try effort.compare(
        name, checksum: { $0 },
        ours: { count in
          let calls = triggerNobody(count, dispatching.manager)
          // Add the sum, which is zero unless a handler of another event was called.
          return calls &+ dispatching.sum()
        },
        baseline: { callNothing($0) })
    },
  ] + [10, 1_000].map(growth)

/// A started manager with modules that count their events.
@MainActor struct Dispatching {
  let manager: ModuleManager
  private let tickers: [any Ticking]

  init(_ modules: [any Module.Type], looks: Bool = false) throws {
    Tickers.made = []
    // The filter accepts no images, because the benchmark measures only the check for new ones. The
    // handler ignores that the manager is released without a stop.
    manager = ModuleManager(modules: modules, records: looks ? .images { _ in false } : .none) { _ in }
    try manager.start()
    tickers = Tickers.made
  }

  func sum() -> Int { tickers.reduce(0) { $0 &+ $1.sum } }

  /// Compares an event with a loop that calls the same method on the same number of objects.
  func compare(
    _ name: String, _ effort: Effort, goal: Goal?, _ trigger: @MainActor (Int, ModuleManager) -> Void, handlers: Int,
    _ others: [any Ticking]
  ) throws -> Comparison {
    try effort.compare(
      name, goal: goal, checksum: { handlers * $0 },
      ours: { count in
        let before = sum()
        trigger(count, manager)
        return sum() &- before
      },
      baseline: { count in
        let before = others.reduce(0) { $0 &+ $1.sum }
        call(count, others)
        return others.reduce(0) { $0 &+ $1.sum } &- before
      })
  }
}

/// Creates a benchmark that compares a subscriber among many modules with a single module.
private func growth(_ modules: Int) -> Benchmark {
  Benchmark("event.modules.\(modules)") { name, effort in
    let many = try Dispatching([LoneTicker.self] + idleModules(modules - 1))
    let alone = try Dispatching([LoneTicker.self])
    return try effort.compare(
      name, checksum: { $0 }, ours: { triggerOne($0, many) }, baseline: { triggerOne($0, alone) })
  }
}

/// Returns how many events with a hundred handlers it takes to call a number of handlers.
private func events(_ handlers: Int) -> Int { (handlers + 99) / 100 }

@MainActor func triggerHundred(_ count: Int, _ dispatching: Dispatching) -> Int {
  let before = dispatching.sum()
  triggerHundred(count, dispatching.manager)
  return dispatching.sum() &- before
}

@MainActor func triggerOne(_ count: Int, _ dispatching: Dispatching) -> Int {
  let before = dispatching.sum()
  triggerOne(count, dispatching.manager)
  return dispatching.sum() &- before
}

// The measured loops. They name each event where they trigger it, like users' code.

@MainActor @inline(never) func triggerOne(_ count: Int, _ manager: ModuleManager) {
  for _ in 0..<count { manager.trigger(.one, 1) }
}

@MainActor @inline(never) func triggerHundred(_ count: Int, _ manager: ModuleManager) {
  for _ in 0..<count { manager.trigger(.tick, 1) }
}

@MainActor @inline(never) private func triggerNobody(_ count: Int, _ manager: ModuleManager) -> Int {
  for _ in 0..<count { manager.trigger(.nobody, 1) }
  return count
}

@MainActor @inline(never) private func call(_ count: Int, _ others: [any Ticking]) {
  for _ in 0..<count {
    for other in others { other.tick(1) }
  }
}

// The function isn't optimized, because the optimizer would remove both the function and the loop.
@_optimize(none) @inline(never) private func nothing() {}

@inline(never) private func callNothing(_ count: Int) -> Int {
  for _ in 0..<count { nothing() }
  return count
}
