import Foundation
import Lifecycle
import Measuring

// Operations with 10,000 modules, compared with the same operations with 5,000. The ratio is two if
// the time is linear, and four if it is quadratic.

@MainActor let moduleGrowthBenchmarks: [Benchmark] = [
  growth("growth.modules.register", isRunning: false) { count, modules in
    { for number in 0..<count { add(number, to: modules) } }
  },
  growth("growth.modules.next", isRunning: true) { count, modules in
    { for number in 0..<count { add(number, to: modules, after: [number + 1]) } }
  },
  growth("growth.modules.unregister", isRunning: true) { count, modules in
    for number in 0..<count { add(number, to: modules, after: [number - 1]) }
    return { for number in 0..<count where number % 2 == 1 { modules.unregister(named: "m\(number)") } }
  },
  growth("growth.modules.between", isRunning: true) { count, modules in
    addHalves(count, to: modules)
    return { modules.unregister(named: "m\(count / 2)") }
  },
  growth("growth.modules.between.stop", isRunning: true) { count, modules in
    addHalves(count, to: modules)
    modules.unregister(named: "m\(count / 2)")
    return { modules.stop() }
  },
  growth("growth.questions", isRunning: true) { count, modules in
    modules.on(.growthQuestion) { number, _ in
      await Task.yield()
      return [number]
    }
    return {
      var sum = 0
      for _ in 0..<count { modules.trigger(.growthQuestion, 1) { sum += $0.count } }
      while sum < count { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
    }
  },
]

private final class Idle: Module {}

extension AsyncEvent where Payload == Int, Outcome == [Int] {
  fileprivate static var growthQuestion: Self { .init("growth.question", combining: .collect) }
}

@MainActor private func add(_ number: Int, to modules: ModuleManager, after: [Int] = []) {
  modules.register(named: "m\(number)", after: after.map { "m\($0)" }) { Idle() }
}

/// Adds modules so that one half follows a middle module, which follows the other half.
@MainActor private func addHalves(_ count: Int, to modules: ModuleManager) {
  let middle = count / 2
  for number in 0..<middle { add(number, to: modules) }
  add(middle, to: modules, after: Array(0..<middle))
  for number in (middle + 1)..<count { add(number, to: modules, after: [middle]) }
}

/// Returns a benchmark that compares an operation's times for two numbers of modules.
///
/// - Parameters:
///   - name: The name of the row.
///   - isRunning: A Boolean value that indicates whether a run is in progress.
///   - prepare: A closure that prepares the operation and returns it.
private func growth(
  _ name: String, isRunning: Bool,
  _ prepare: @escaping @MainActor (Int, ModuleManager) throws -> @MainActor () throws -> Void
) -> Benchmark {
  Benchmark(name) { name, effort in
    @MainActor func milliseconds(_ count: Int) throws -> Double {
      let modules = ModuleManager(onDiagnostic: { _ in })
      if isRunning { try modules.runInBackground { _ in } }
      let operation = try prepare(count, modules)
      let start = now()
      try operation()
      let time = Double(now() - start) / 1e6
      modules.stop()
      // The deferred work of the modules must not be part of the next measurement.
      var isIdle = false
      Task {
        await modules.waitUntilIdle()
        isIdle = true
      }
      while !isIdle { _ = RunLoop.main.run(mode: .default, before: .distantFuture) }
      return time
    }
    let count = effort.isQuick ? 100 : 5_000
    var (ours, baseline): ([Double], [Double]) = ([], [])
    for _ in 0..<(effort.isQuick ? 1 : 5) {
      baseline.append(try milliseconds(count))
      ours.append(try milliseconds(2 * count))
    }
    return Comparison(name, ours: ours, baseline: baseline, unit: "ms", goal: .ratio(2.5))
  }
}
