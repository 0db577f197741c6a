import Lifecycle

extension Event where Payload == Int, Outcome == Bool {
  fileprivate static var load: Self { .init("load.everybody", combining: .any) }
}

@MainActor private var (handlerCount, calls) = (0, 0)

/// A module with many handlers of one event.
private final class Crowd: Module {
  static func subscribe(_ events: Subscriptions<Crowd>) {
    for _ in 0..<handlerCount {
      events.on(.load) { _, step, _ in
        calls += step
        return true
      }
    }
  }
}

/// Sends an event to one module with many handlers.
@MainActor func handlers(_ meter: Meter) throws {
  handlerCount = meter.size
  let manager = ModuleManager(modules: [Crowd.self])
  try manager.start()
  meter.phase("first event") { require(manager.trigger(.load, 1), "no handler answered") }
  meter.phase("10 more events") { for _ in 0..<10 { manager.trigger(.load, 1) } }
  require(calls == 11 * meter.size, "\(calls) calls")
}
