import Foundation
import Measuring

@MainActor let notificationBenchmarks = [
  Benchmark("event.notification-center") { name, effort in
    let dispatching = try Dispatching(Tickers.types)
    return try compareNotifications(name, effort, handlers: 100) { triggerHundred($0, dispatching) }
  },
  Benchmark("event.notification-center.1") { name, effort in
    let dispatching = try Dispatching([LoneTicker.self])
    return try compareNotifications(name, effort, handlers: 1) { triggerOne($0, dispatching) }
  },
]

/// Compares a loop that triggers an event with a loop that posts to a number of observers.
@MainActor private func compareNotifications(
  _ name: String, _ effort: Effort, handlers: Int, _ trigger: Loop
) throws -> Comparison {
  let center = NotificationCenter()
  let tick = Notification.Name("benchmarks.tick")
  // Unsafe: observers must be Sendable closures, but the center calls them on the posting thread,
  // which is this one.
  nonisolated(unsafe) var sum = 0
  let observers = (0..<handlers).map { _ in
    center.addObserver(forName: tick, object: nil, queue: nil) { notification in
      sum &+= notification.object as? Int ?? 0
    }
  }
  defer { for observer in observers { center.removeObserver(observer) } }
  return try effort.compare(
    name, goal: .ratio(0.1), checksum: { handlers * $0 }, ours: trigger,
    baseline: { count in
      let before = sum
      for _ in 0..<count { center.post(name: tick, object: 1) }
      return sum &- before
    })
}
