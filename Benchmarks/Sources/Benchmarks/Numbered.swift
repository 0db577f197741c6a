import Lifecycle
import Registry

// A thousand services and a thousand modules that exist alongside the measured types. They don't
// need a line of code each, because the digits of their numbers are type arguments. The measured
// types aren't generic, because the compiler doesn't specialize generic code here.

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

/// A service whose type arguments are the digits of its number.
final class Bystander<A: Digit, B: Digit, C: Digit>: Sendable {}

/// A module whose type arguments are the digits of its number, and which handles no events.
final class IdleModule<A: Digit, B: Digit, C: Digit>: Module {}

/// Returns the digits of a number below 1,000.
private func digits(of number: Int) -> (any Digit.Type, any Digit.Type, any Digit.Type) {
  (digits[number / 100 % 10], digits[number / 10 % 10], digits[number % 10])
}

/// Registers a number of shared services and resolves each, so that all are in the lookup table.
///
/// - Returns: The types of the services.
@discardableResult
func registerBystanders(_ count: Int, in manager: ServiceManager) throws -> [ObjectIdentifier] {
  func register<A: Digit, B: Digit, C: Digit>(_: A.Type, _: B.Type, _: C.Type) throws -> ObjectIdentifier {
    manager.register(Bystander<A, B, C>.self, scope: .shared) { Bystander<A, B, C>() }
    return ObjectIdentifier(Swift.type(of: try manager.createService(for: Bystander<A, B, C>.self)))
  }
  return try (0..<count).map { number in
    let (a, b, c) = digits(of: number)
    return try register(a, b, c)
  }
}

/// Returns a number of modules that handle no events.
@MainActor func idleModules(_ count: Int) -> [any Module.Type] {
  func type<A: Digit, B: Digit, C: Digit>(_: A.Type, _: B.Type, _: C.Type) -> any Module.Type {
    IdleModule<A, B, C>.self
  }
  return (0..<count).map { number in
    let (a, b, c) = digits(of: number)
    return type(a, b, c)
  }
}
