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
@frozen public struct Event<Payload, Outcome>: Sendable {
  /// The identifier of the event. By convention, it has the form `feature.whatHappened`.
  ///
  /// Identifiers that begin with `app.`, `scene.`, `modules.`, or `process.` are reserved for this
  /// package.
  public let id: StaticString
  @usableFromInline package let rule: CombiningRule<Outcome>

  /// Creates an event with an outcome.
  ///
  /// - Parameters:
  ///   - id: The identifier of the event.
  ///   - rule: The rule that combines the answers of handlers.
  @_alwaysEmitIntoClient public init(_ id: StaticString, combining rule: CombiningRule<Outcome>) {
    self.id = id
    self.rule = rule
  }

  /// Creates an event without an outcome.
  @_alwaysEmitIntoClient public init(_ id: StaticString) where Outcome == Void {
    self.init(id, combining: CombiningRule(initial: ()) { _, _ in })
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
