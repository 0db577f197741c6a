import Foundation
import Lifecycle
import Measuring

@MainActor let notificationBenchmarks = [
  Benchmark("event.notification-center") { name, effort in
    let dispatching = try Dispatching(Tickers.types)
    let center = NotificationCenter()
    let tick = Notification.Name("benchmarks.tick")
    // Unsafe: observers must be Sendable closures, but they are called on the thread that posts,
    // which is this one.
    nonisolated(unsafe) var sum = 0
    let observers = (0..<100).map { _ in
      center.addObserver(forName: tick, object: nil, queue: nil) { notification in
        sum &+= notification.object as? Int ?? 0
      }
    }
    defer { for observer in observers { center.removeObserver(observer) } }
    return try effort.compare(
      name, goal: .ratio(0.1), checksum: { 100 * $0 },
      ours: { count in
        let before = dispatching.sum()
        triggerHundred(count, dispatching.manager)
        return dispatching.sum() &- before
      },
      baseline: { count in
        let before = sum
        for _ in 0..<count { center.post(name: tick, object: 1) }
        return sum &- before
      })
  }
]
