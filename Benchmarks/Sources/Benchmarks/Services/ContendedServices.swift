import Elsewhere
import Measuring
import Registry

// Two threads that use separate services, compared with one thread that does the same work. The
// threads' own clocks measure the time, so the time doesn't depend on whether the machine has a
// core to spare for each thread.

@MainActor let contendedServiceBenchmarks = [
  Benchmark("service.shared.contended") { name, effort in
    try SharedServices.prepare()
    return try contended(name, effort, goal: .ratio(1.2), lookUpShared, lookUpOther)
  },
  // Both threads use the same service, and both count its references. The result shows that the
  // clocks reveal how threads slow each other down.
  Benchmark("service.shared.contended.same") { name, effort in
    try SharedServices.prepare()
    return try contended(name, effort, goal: nil, lookUpShared, lookUpShared)
  },
  // Both threads use the same service, and each looks it up once.
  Benchmark("service.shared.contended.held") { name, effort in
    try SharedServices.prepare()
    return try contended(name, effort, goal: nil, useHeld, useHeld)
  },
  // Both threads add in registers, which they do not share. The result shows how two threads on one
  // machine slow each other down.
  Benchmark("service.shared.contended.machine") { name, effort in
    try contended(name, effort, goal: nil, addUp, addUp)
  },
]

@inline(never) private func useHeld(_ count: Int) throws -> Int {
  let held = try ServiceManager.shared.createService(for: (any Adder).self)
  var sum = 0
  for _ in 0..<count { sum = held.add(sum) }
  return sum
}

@inline(never) private func addUp(_ count: Int) -> Int {
  var sum = 0
  for _ in 0..<count { sum = add(sum) }
  return sum
}

@inline(never) private func add(_ value: Int) -> Int { value &+ StepAdder.step }

@MainActor private func contended(
  _ name: String, _ effort: Effort, goal: Goal?, _ first: @escaping @Sendable (Int) throws -> Int,
  _ second: @escaping @Sendable (Int) throws -> Int
) throws -> Comparison {
  var parallelism: [Double] = []
  var row = try effort.compareTimed(
    name, goal: goal, checksum: sum,
    ours: { count in
      let both = try atOnce(count, [first, second])
      parallelism.append(both.parallelism)
      guard both.turns[0].sum == both.turns[1].sum else {
        throw WrongChecksum(expected: both.turns[0].sum, found: both.turns[1].sum)
      }
      // One thread's sum with the average of both threads' times.
      return (both.turns[0].sum, (both.turns[0].time + both.turns[1].time) / 2)
    },
    baseline: { count in
      let one = try onThreads(count, [first])[0]
      return (one.sum, one.time)
    })
  if median(parallelism) < 1.5 {
    let percent = Int((100 * median(parallelism)).rounded())
    row.note =
      "the machine had no core to spare: two threads used \(percent) % of one, so contention could hardly be seen"
  }
  return row
}
