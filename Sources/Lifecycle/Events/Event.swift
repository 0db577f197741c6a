/// The declaration of an event: an identifier, the type of its payload, and a rule for its outcome.
///
/// ``Event`` and ``AsyncEvent`` conform to this protocol, which declares their initializers. You
/// don't conform other types to it.
public protocol EventDeclaration<Payload, Outcome>: Sendable {
  /// The type of the value that the event carries.
  associatedtype Payload
  /// The type of the combined answer of all handlers.
  associatedtype Outcome

  /// The identifier of the event. By convention, it has the form `feature.whatHappened`.
  var id: StaticString { get }

  /// Creates an event with a rule of its own.
  ///
  /// - Parameters:
  ///   - id: The identifier of the event.
  ///   - initial: The outcome if no handler answers.
  ///   - combine: A closure that adds a handler's answer to the outcome. It is called in the order
  ///     of handlers.
  init(
    _ id: StaticString, initial: @autoclosure @escaping @Sendable () -> Outcome,
    combine: @escaping @Sendable (inout Outcome, Outcome) -> Void)
}

extension EventDeclaration where Outcome == Void {
  /// Creates an event without an outcome.
  @_alwaysEmitIntoClient public init(_ id: StaticString) {
    self.init(id, initial: (), combine: { _, _ in })
  }
}

extension EventDeclaration {
  /// Creates an event with a named rule.
  ///
  /// - Parameters:
  ///   - id: The identifier of the event.
  ///   - rule: The rule that combines the answers of handlers.
  @_alwaysEmitIntoClient public init(_ id: StaticString, combining rule: CombiningRule<Outcome>) {
    self.init(id, initial: rule.initial(), combine: rule.combine)
  }

  /// Selected when the event has an outcome and no rule, so that the compiler reports the message.
  ///
  /// See ProvideDiagnostics.swift in Registry.
  @_disfavoredOverload
  @available(
    *, unavailable,
    message: """
      an event with an outcome needs a rule that combines the answers of its handlers; pass 'combining:', for example \
      '.all' or '.any' for 'Bool', '.first' for an optional, or '.init(initial: 0) { $0 += $1 }' [missing-rule]
      """
  )
  public init(_ id: StaticString) { fatalError() }
}

/// An event that handlers answer before the call that triggers it returns.
///
/// ```swift
/// extension Event where Payload == User, Outcome == Void {
///   public static var userDidLogIn: Self { .init("account.userDidLogIn") }
/// }
/// modules.trigger(.userDidLogIn, user)
/// ```
///
/// The identifier and both types together make up the event. A handler or a trigger that uses the
/// same identifier with other types is reported as `event-mismatch`.
@frozen public struct Event<Payload, Outcome>: EventDeclaration {
  public let id: StaticString
  @usableFromInline package let initial: @Sendable () -> Outcome
  @usableFromInline let combine: @Sendable (inout Outcome, Outcome) -> Void

  @inlinable public init(
    _ id: StaticString, initial: @autoclosure @escaping @Sendable () -> Outcome,
    combine: @escaping @Sendable (inout Outcome, Outcome) -> Void
  ) {
    self.id = id
    self.initial = initial
    self.combine = combine
  }
}
