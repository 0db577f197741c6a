import Elsewhere
import Lifecycle
import Measuring

extension Event where Payload == Int, Outcome == Void {
  static var tick: Self { .init("bench.tick") }
  static var one: Self { .init("bench.one") }
  static var none: Self { .init("bench.none") }
}

@MainActor protocol Ticking: AnyObject { func tick(_ value: Int) }

final class Ticker0: Module, Ticking {
  var sum = 0
  func tick(_ value: Int) { sum &+= value }
  static func subscribe(_ events: Subscriptions<Ticker0>) {
    for _ in 0..<10 { events.on(.tick) { module, value, _ in module.tick(value) } }
    if 0 == 0 { events.on(.one) { module, value, _ in module.tick(value) } }
  }
}
final class Ticker1: Module, Ticking {
  var sum = 0
  func tick(_ value: Int) { sum &+= value }
  static func subscribe(_ events: Subscriptions<Ticker1>) {
    for _ in 0..<10 { events.on(.tick) { module, value, _ in module.tick(value) } }
    if 1 == 0 { events.on(.one) { module, value, _ in module.tick(value) } }
  }
}
final class Ticker2: Module, Ticking {
  var sum = 0
  func tick(_ value: Int) { sum &+= value }
  static func subscribe(_ events: Subscriptions<Ticker2>) {
    for _ in 0..<10 { events.on(.tick) { module, value, _ in module.tick(value) } }
    if 2 == 0 { events.on(.one) { module, value, _ in module.tick(value) } }
  }
}
final class Ticker3: Module, Ticking {
  var sum = 0
  func tick(_ value: Int) { sum &+= value }
  static func subscribe(_ events: Subscriptions<Ticker3>) {
    for _ in 0..<10 { events.on(.tick) { module, value, _ in module.tick(value) } }
    if 3 == 0 { events.on(.one) { module, value, _ in module.tick(value) } }
  }
}
final class Ticker4: Module, Ticking {
  var sum = 0
  func tick(_ value: Int) { sum &+= value }
  static func subscribe(_ events: Subscriptions<Ticker4>) {
    for _ in 0..<10 { events.on(.tick) { module, value, _ in module.tick(value) } }
    if 4 == 0 { events.on(.one) { module, value, _ in module.tick(value) } }
  }
}
final class Ticker5: Module, Ticking {
  var sum = 0
  func tick(_ value: Int) { sum &+= value }
  static func subscribe(_ events: Subscriptions<Ticker5>) {
    for _ in 0..<10 { events.on(.tick) { module, value, _ in module.tick(value) } }
    if 5 == 0 { events.on(.one) { module, value, _ in module.tick(value) } }
  }
}
final class Ticker6: Module, Ticking {
  var sum = 0
  func tick(_ value: Int) { sum &+= value }
  static func subscribe(_ events: Subscriptions<Ticker6>) {
    for _ in 0..<10 { events.on(.tick) { module, value, _ in module.tick(value) } }
    if 6 == 0 { events.on(.one) { module, value, _ in module.tick(value) } }
  }
}
final class Ticker7: Module, Ticking {
  var sum = 0
  func tick(_ value: Int) { sum &+= value }
  static func subscribe(_ events: Subscriptions<Ticker7>) {
    for _ in 0..<10 { events.on(.tick) { module, value, _ in module.tick(value) } }
    if 7 == 0 { events.on(.one) { module, value, _ in module.tick(value) } }
  }
}
final class Ticker8: Module, Ticking {
  var sum = 0
  func tick(_ value: Int) { sum &+= value }
  static func subscribe(_ events: Subscriptions<Ticker8>) {
    for _ in 0..<10 { events.on(.tick) { module, value, _ in module.tick(value) } }
    if 8 == 0 { events.on(.one) { module, value, _ in module.tick(value) } }
  }
}
final class Ticker9: Module, Ticking {
  var sum = 0
  func tick(_ value: Int) { sum &+= value }
  static func subscribe(_ events: Subscriptions<Ticker9>) {
    for _ in 0..<10 { events.on(.tick) { module, value, _ in module.tick(value) } }
    if 9 == 0 { events.on(.one) { module, value, _ in module.tick(value) } }
  }
}

@MainActor func events(_ effort: Effort) throws -> [Comparison] {
  let manager = ModuleManager(modules: [
    Ticker0.self, Ticker1.self, Ticker2.self, Ticker3.self, Ticker4.self, Ticker5.self, Ticker6.self, Ticker7.self,
    Ticker8.self, Ticker9.self,
  ])
  try manager.start()
  var objects: [any Ticking] = []
  for i in 0..<10 {
    objects +=
      [Ticker0(), Ticker1(), Ticker2(), Ticker3(), Ticker4(), Ticker5(), Ticker6(), Ticker7(), Ticker8(), Ticker9()]
      as [any Ticking];
    _ = i
  }
  var results: [Comparison] = []
  results.append(
    try effort.compare(
      "event.100", goal: 3, checksum: { $0 },
      ours: { count in
        for _ in 0..<count { manager.trigger(.tick, 1) }
        return count
      },
      baseline: { count in
        for _ in 0..<count { for o in objects { o.tick(1) } }
        return count
      }))
  let o = objects[0]
  results.append(
    try effort.compare(
      "event.1", checksum: { $0 },
      ours: { count in
        for _ in 0..<count { manager.trigger(.one, 1) }
        return count
      },
      baseline: { count in
        for _ in 0..<count { o.tick(1) }
        return count
      }))
  results.append(
    try effort.report("event.0", checksum: { $0 }) { count in
      for _ in 0..<count { manager.trigger(.none, 1) }
      return count
    })
  return results
}
