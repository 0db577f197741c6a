import Lifecycle
import Registry

// Ten thousand types of each kind, without a declaration for each: the digits of a number are type
// arguments.

protocol Digit: SendableMetatype {}
enum D0: Digit {}
enum D1: Digit {}
enum D2: Digit {}
enum D3: Digit {}
enum D4: Digit {}
enum D5: Digit {}
enum D6: Digit {}
enum D7: Digit {}
enum D8: Digit {}
enum D9: Digit {}

private let digits: [any Digit.Type] = [
  D0.self, D1.self, D2.self, D3.self, D4.self, D5.self, D6.self, D7.self, D8.self, D9.self,
]

/// The numbers of calls to the modules.
@MainActor enum Tally {
  static var setUps = 0
  static var tearDowns = 0
  static var calls = 0
}

extension Event where Payload == Int, Outcome == Bool {
  static var load: Self { .init("load.everybody", combining: .any) }
  static var crowd: Self { .init("load.crowd", combining: .any) }
}

/// A module that is identified by a number of four digits.
final class Numbered<A: Digit, B: Digit, C: Digit, D: Digit>: Module {
  static func subscribe(_ events: Subscriptions<Numbered<A, B, C, D>>) {
    events.on(.load) { _, step, _ in
      Tally.calls += step
      return true
    }
  }

  func setUp(_ context: Context) { Tally.setUps += 1 }
  func tearDown(_ context: Context) { Tally.tearDowns += 1 }
}

/// A module with many handlers of one event.
final class Crowd: Module {
  static var size = 0

  static func subscribe(_ events: Subscriptions<Crowd>) {
    for _ in 0..<size {
      events.on(.crowd) { _, step, _ in
        Tally.calls += step
        return true
      }
    }
  }
}

/// A service that is identified by a number of four digits.
final class Service<A: Digit, B: Digit, C: Digit, D: Digit>: Sendable {}

/// Calls a closure with the four digits of a number as types.
private func open<Result>(
  _ number: Int, _ body: (any Digit.Type, any Digit.Type, any Digit.Type, any Digit.Type) -> Result
) -> Result {
  body(digits[number / 1_000 % 10], digits[number / 100 % 10], digits[number / 10 % 10], digits[number % 10])
}

/// Returns the module type for a number below 10,000.
@MainActor func moduleType(_ number: Int) -> any Module.Type {
  func type<A: Digit, B: Digit, C: Digit, D: Digit>(
    _: A.Type, _: B.Type, _: C.Type, _: D.Type
  ) -> any Module.Type { Numbered<A, B, C, D>.self }
  return open(number) { type($0, $1, $2, $3) }
}

/// An operation on a service type.
protocol ServiceAction {
  func callAsFunction<S: Sendable>(_ type: S.Type, make: @escaping @Sendable () -> S)
}

/// Performs an operation on the service type for a number below 10,000.
func withServiceType(_ number: Int, _ action: some ServiceAction) {
  func act<A: Digit, B: Digit, C: Digit, D: Digit>(_: A.Type, _: B.Type, _: C.Type, _: D.Type) {
    action(Service<A, B, C, D>.self) { Service<A, B, C, D>() }
  }
  open(number) { act($0, $1, $2, $3) }
}
