import Lifecycle

extension Event where Payload == Int, Outcome == Void {
  /// An event with a hundred handlers, ten of each class.
  static var tick: Self { .init("benchmarks.tick") }
  /// An event with one handler.
  static var one: Self { .init("benchmarks.one") }
  /// An event without handlers.
  static var nobody: Self { .init("benchmarks.nobody") }
}

/// A type with a method that the handlers call. The baseline calls it without a registry.
@MainActor protocol Ticking: AnyObject {
  var sum: Int { get }
  func tick(_ value: Int)
}

@MainActor enum Tickers {
  static let types: [any Module.Type] = [
    Ticker0.self, Ticker1.self, Ticker2.self, Ticker3.self, Ticker4.self, Ticker5.self, Ticker6.self, Ticker7.self,
    Ticker8.self, Ticker9.self,
  ]
  /// The instances that managers have created. Their sums make up the checksum.
  static var made: [any Ticking] = []

  /// Returns a hundred instances, ten of each class, that belong to no manager.
  static func hundred() -> [any Ticking] {
    let before = made
    defer { made = before }
    return (0..<10).flatMap { _ -> [any Ticking] in
      [
        Ticker0(), Ticker1(), Ticker2(), Ticker3(), Ticker4(), Ticker5(), Ticker6(), Ticker7(), Ticker8(), Ticker9(),
      ]
    }
  }
}

// The classes are not generic, because the compiler wouldn't specialize a generic class's handlers,
// and users' modules aren't generic. Each multiplies by another number, because the compiler would
// merge equal handlers into one function, which each of them would call.

final class Ticker0: Module, Ticking {
  private var total = 0
  var sum: Int { total / 1 }

  init() { Tickers.made.append(self) }
  func tick(_ value: Int) { total &+= value &* 1 }

  static func subscribe(_ events: Subscriptions<Ticker0>) {
    for _ in 0..<10 { events.on(.tick) { module, value, _ in module.tick(value) } }
  }
}

final class Ticker1: Module, Ticking {
  private var total = 0
  var sum: Int { total / 2 }

  init() { Tickers.made.append(self) }
  func tick(_ value: Int) { total &+= value &* 2 }

  static func subscribe(_ events: Subscriptions<Ticker1>) {
    for _ in 0..<10 { events.on(.tick) { module, value, _ in module.tick(value) } }
  }
}

final class Ticker2: Module, Ticking {
  private var total = 0
  var sum: Int { total / 3 }

  init() { Tickers.made.append(self) }
  func tick(_ value: Int) { total &+= value &* 3 }

  static func subscribe(_ events: Subscriptions<Ticker2>) {
    for _ in 0..<10 { events.on(.tick) { module, value, _ in module.tick(value) } }
  }
}

final class Ticker3: Module, Ticking {
  private var total = 0
  var sum: Int { total / 4 }

  init() { Tickers.made.append(self) }
  func tick(_ value: Int) { total &+= value &* 4 }

  static func subscribe(_ events: Subscriptions<Ticker3>) {
    for _ in 0..<10 { events.on(.tick) { module, value, _ in module.tick(value) } }
  }
}

final class Ticker4: Module, Ticking {
  private var total = 0
  var sum: Int { total / 5 }

  init() { Tickers.made.append(self) }
  func tick(_ value: Int) { total &+= value &* 5 }

  static func subscribe(_ events: Subscriptions<Ticker4>) {
    for _ in 0..<10 { events.on(.tick) { module, value, _ in module.tick(value) } }
  }
}

final class Ticker5: Module, Ticking {
  private var total = 0
  var sum: Int { total / 6 }

  init() { Tickers.made.append(self) }
  func tick(_ value: Int) { total &+= value &* 6 }

  static func subscribe(_ events: Subscriptions<Ticker5>) {
    for _ in 0..<10 { events.on(.tick) { module, value, _ in module.tick(value) } }
  }
}

final class Ticker6: Module, Ticking {
  private var total = 0
  var sum: Int { total / 7 }

  init() { Tickers.made.append(self) }
  func tick(_ value: Int) { total &+= value &* 7 }

  static func subscribe(_ events: Subscriptions<Ticker6>) {
    for _ in 0..<10 { events.on(.tick) { module, value, _ in module.tick(value) } }
  }
}

final class Ticker7: Module, Ticking {
  private var total = 0
  var sum: Int { total / 8 }

  init() { Tickers.made.append(self) }
  func tick(_ value: Int) { total &+= value &* 8 }

  static func subscribe(_ events: Subscriptions<Ticker7>) {
    for _ in 0..<10 { events.on(.tick) { module, value, _ in module.tick(value) } }
  }
}

final class Ticker8: Module, Ticking {
  private var total = 0
  var sum: Int { total / 9 }

  init() { Tickers.made.append(self) }
  func tick(_ value: Int) { total &+= value &* 9 }

  static func subscribe(_ events: Subscriptions<Ticker8>) {
    for _ in 0..<10 { events.on(.tick) { module, value, _ in module.tick(value) } }
  }
}

final class Ticker9: Module, Ticking {
  private var total = 0
  var sum: Int { total / 10 }

  init() { Tickers.made.append(self) }
  func tick(_ value: Int) { total &+= value &* 10 }

  static func subscribe(_ events: Subscriptions<Ticker9>) {
    for _ in 0..<10 { events.on(.tick) { module, value, _ in module.tick(value) } }
  }
}

/// The only handler of an event.
final class LoneTicker: Module, Ticking {
  private var total = 0
  var sum: Int { total / 11 }

  init() { Tickers.made.append(self) }
  func tick(_ value: Int) { total &+= value &* 11 }

  static func subscribe(_ events: Subscriptions<LoneTicker>) {
    events.on(.one) { module, value, _ in module.tick(value) }
  }
}
