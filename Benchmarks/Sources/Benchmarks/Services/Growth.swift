import Foundation
import Measuring
import Registry
import RegistryReports

// The time for 10,000 services compared with the time for 5,000. The ratio is about two if the time
// is proportional to the number, and four if it is proportional to its square.

@MainActor let growthBenchmarks = [
  growth("growth.register.replacing") { count in
    let services = ServiceManager { _ in }
    return time { register(count, in: services, replacing: true) }
  },
  growth("growth.register.named") { count in
    let services = ServiceManager { _ in }
    return time { register(count, in: services) { "\($0)" } }
  },
  growth("growth.unregister") { count in
    let services = ServiceManager { _ in }
    let tokens = register(count, in: services, replacing: true)
    return time { for token in tokens { token.cancel() } }
  },
  growth("growth.unregister.named") { count in
    let services = ServiceManager { _ in }
    register(count, in: services) { "\($0)" }
    return time { for number in 0..<count { services.unregister((any Link).self, named: "\(number)") } }
  },
  growth("growth.lookup.missing") { count in
    let services = ServiceManager { _ in }
    register(count, in: services) { "\($0)" }
    return time { for _ in 0..<count { _ = try? services.createService(for: (any Link).self) } }
  },
  growth("growth.report") { count in
    let services = ServiceManager { _ in }
    register(count, in: services) { "\($0)" }
    return time { _ = services.report() }
  },
  // The factory of each shared service looks up the next service.
  growth("growth.chain") { count in
    let services = ServiceManager { _ in }
    for number in 0..<count {
      services.register((any Link).self, scope: .shared, named: "\(number)") { services in
        if number + 1 < count { _ = try services.createService(for: (any Link).self, named: "\(number + 1)") }
        return PlainLink()
      }
    }
    return onLargeStack { time { _ = try? services.createService(for: (any Link).self, named: "0") } }
  },
]

private protocol Link: Sendable {}
private struct PlainLink: Link {}

@MainActor private func growth(_ name: String, _ work: @escaping (Int) -> Double) -> Benchmark {
  Benchmark(name) { name, effort in
    let rounds = (0..<(effort.isQuick ? 1 : 9)).map { _ in (ours: work(10_000), baseline: work(5_000)) }
    return Comparison(
      name, ours: rounds.map(\.ours), baseline: rounds.map(\.baseline), unit: "ms", goal: .ratio(2.5))
  }
}

@discardableResult private func register(
  _ count: Int, in services: ServiceManager, replacing: Bool = false, name: (Int) -> String? = { _ in nil }
) -> [RegistrationToken] {
  (0..<count).map { services.register((any Link).self, named: name($0), replacing: replacing) { PlainLink() } }
}

/// Returns the processor time of a closure, in milliseconds.
private func time(_ work: () -> Void) -> Double {
  let start = threadTime()
  work()
  return Double(threadTime() - start) / 1e6
}

/// Runs a closure on a thread whose stack has room for nested services.
private func onLargeStack(_ work: @escaping @Sendable () -> Double) -> Double {
  nonisolated(unsafe) var result = 0.0
  let ended = DispatchSemaphore(value: 0)
  let thread = Thread {
    result = work()
    ended.signal()
  }
  thread.stackSize = 256 << 20
  thread.start()
  ended.wait()
  return result
}
