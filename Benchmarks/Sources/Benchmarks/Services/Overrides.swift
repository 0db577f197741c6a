import Elsewhere
import Foundation
import Measuring
import Registry

// Two managers with equal tables. One had an override earlier or has one on another thread.

@MainActor let overrideBenchmarks = [
  Benchmark("service.override") { name, effort in
    let (used, fresh) = (try manager(), try manager())
    let sum = try used.withOverrides {
      $0.override((any Adder).self) { Doubler() }
    } operation: {
      try lookUp(1, in: used)
    }
    guard sum == Doubler.step else { throw WrongChecksum(expected: Doubler.step, found: sum) }
    return try compare(name, effort, goal: .ratio(1.05), used, fresh)
  },
  Benchmark("service.override.elsewhere") { name, effort in
    let (used, fresh) = (try manager(), try manager())
    let (isInForce, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let ended = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      used.withOverrides {
        $0.override((any Adder).self) { Doubler() }
      } operation: {
        isInForce.signal()
        mayEnd.wait()
      }
      ended.signal()
    }
    isInForce.wait()
    defer {
      mayEnd.signal()
      ended.wait()
    }
    return try compare(name, effort, goal: .ratio(22), used, fresh)
  },
]

/// An adder with a different result, which reveals a lookup that wrongly returns the override.
private final class Doubler: Adder {
  static let step = 7

  func add(_ value: Int) -> Int { 2 &* value &+ Self.step }
}

private func manager() throws -> ServiceManager {
  let manager = ServiceManager()
  try registerBystanders(100, in: manager)
  manager.register((any Adder).self, scope: .shared) { StepAdder() }
  _ = try manager.createService(for: (any Adder).self)
  return manager
}

@MainActor private func compare(
  _ name: String, _ effort: Effort, goal: Goal?, _ used: ServiceManager, _ fresh: ServiceManager
) throws -> Comparison {
  try effort.compare(
    name, goal: goal, checksum: sum, ours: { try lookUp($0, in: used) }, baseline: { try lookUp($0, in: fresh) })
}
