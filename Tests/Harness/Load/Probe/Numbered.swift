import Lifecycle
import Registry

// Thousands of types of each kind, without a declaration for each: a number is a type whose argument
// is its half.

protocol Number: SendableMetatype {}
enum Zero: Number {}
enum Even<Half: Number>: Number {}
enum Odd<Half: Number>: Number {}

private func number(_ value: Int) -> any Number.Type {
  func next<Half: Number>(_: Half.Type) -> any Number.Type { value % 2 == 0 ? Even<Half>.self : Odd<Half>.self }
  return value == 0 ? Zero.self : next(number(value / 2))
}

// MARK: - Services

protocol NumberedService: AnyObject, Sendable {
  init()
}

final class Service<N: Number>: NumberedService {}

func serviceType(_ value: Int) -> any NumberedService.Type {
  func type<N: Number>(_: N.Type) -> any NumberedService.Type { Service<N>.self }
  return type(number(value))
}

// MARK: - Modules

/// The numbers of calls to the modules.
@MainActor enum Tally {
  static var setUps = 0
  static var tearDowns = 0
  static var calls = 0
}

extension Event where Payload == Int, Outcome == Bool {
  static var load: Self { .init("load.everybody", combining: .any) }
}

final class Numbered<N: Number>: Module {
  static func subscribe(_ events: Subscriptions<Numbered<N>>) {
    events.on(.load) { _, step, _ in
      Tally.calls += step
      return true
    }
  }

  func setUp(_ context: Context) { Tally.setUps += 1 }
  func tearDown(_ context: Context) { Tally.tearDowns += 1 }
}

@MainActor func moduleType(_ value: Int) -> any Module.Type {
  func type<N: Number>(_: N.Type) -> any Module.Type { Numbered<N>.self }
  return type(number(value))
}

/// A module with many handlers of one event.
final class Crowd: Module {
  static var size = 0

  static func subscribe(_ events: Subscriptions<Crowd>) {
    for _ in 0..<size {
      events.on(.load) { _, step, _ in
        Tally.calls += step
        return true
      }
    }
  }
}
