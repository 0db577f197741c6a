/// A rule that combines answers to an event into the event's outcome.
///
/// ```swift
/// extension Event where Payload == Order, Outcome == Bool {
///   public static var mayShip: Self { .init("shop.mayShip", combining: .all) }
/// }
/// ```
///
/// A rule combines answers in handler order. An answer never ends the event early, so all handlers
/// are called.
@frozen public struct CombiningRule<Outcome>: Sendable {
  @usableFromInline package let initial: @Sendable () -> Outcome
  @usableFromInline let combine: @Sendable (inout Outcome, Outcome) -> Void

  /// Creates a rule.
  ///
  /// - Parameters:
  ///   - initial: The outcome if there are no answers.
  ///   - combine: A closure that adds an answer to the outcome.
  @_alwaysEmitIntoClient public init(
    initial: @autoclosure @escaping @Sendable () -> Outcome,
    combine: @escaping @Sendable (inout Outcome, Outcome) -> Void
  ) {
    self.initial = initial
    self.combine = combine
  }
}

extension CombiningRule where Outcome == Bool {
  /// A rule whose outcome is true unless an answer is false. Use it for vetoes.
  @_alwaysEmitIntoClient public static var all: Self { Self(initial: true) { $0 = $0 && $1 } }

  /// A rule whose outcome is true if at least one answer is true.
  @_alwaysEmitIntoClient public static var any: Self { Self(initial: false) { $0 = $0 || $1 } }
}

extension CombiningRule where Outcome: __OptionalOutcome & SendableMetatype {
  /// A rule whose outcome is the first answer that is not nil.
  @_alwaysEmitIntoClient public static var first: Self { Self(initial: nil) { if $0.__isNil { $0 = $1 } } }

  /// A rule whose outcome is the last answer that is not nil.
  @_alwaysEmitIntoClient public static var last: Self { Self(initial: nil) { if !$1.__isNil { $0 = $1 } } }
}

extension CombiningRule where Outcome: RangeReplaceableCollection & SendableMetatype {
  /// A rule whose outcome is the concatenation of all answers.
  @_alwaysEmitIntoClient public static var collect: Self { Self(initial: Outcome()) { $0 += $1 } }
}

extension CombiningRule where Outcome: SetAlgebra & SendableMetatype {
  /// A rule whose outcome is the union of all answers.
  @_alwaysEmitIntoClient public static var union: Self { Self(initial: Outcome()) { $0.formUnion($1) } }
}

// Selected for outcomes of other types. See ProvideDiagnostics.swift in Registry.
extension CombiningRule {
  @_documentation(visibility: internal) @_disfavoredOverload @_alwaysEmitIntoClient
  @available(*, unavailable, message: "'first' requires an optional as the outcome")
  public static var first: Self { fatalError() }

  @_documentation(visibility: internal) @_disfavoredOverload @_alwaysEmitIntoClient
  @available(*, unavailable, message: "'last' requires an optional as the outcome")
  public static var last: Self { fatalError() }

  @_documentation(visibility: internal) @_disfavoredOverload @_alwaysEmitIntoClient
  @available(*, unavailable, message: "'collect' requires an array, a string, or another collection as the outcome")
  public static var collect: Self { fatalError() }

  @_documentation(visibility: internal) @_disfavoredOverload @_alwaysEmitIntoClient
  @available(*, unavailable, message: "'union' requires a set as the outcome")
  public static var union: Self { fatalError() }
}

/// A protocol for `Optional`, used by ``CombiningRule/first`` and ``CombiningRule/last``. Not API.
public protocol __OptionalOutcome: ExpressibleByNilLiteral {
  var __isNil: Bool { get }
}

extension Optional: __OptionalOutcome {
  @inlinable public var __isNil: Bool { self == nil }
}
