/// An event whose handlers answer before the triggering call returns.
///
/// ```swift
/// extension Event where Payload == User, Outcome == Void {
///   public static var userDidLogIn: Self { .init("account.userDidLogIn") }
/// }
/// modules.trigger(.userDidLogIn, user)
/// ```
///
/// All code that uses an identifier must use the same types. Handling or triggering an event with
/// other types is reported as `event-mismatch`.
@frozen public struct Event<Payload, Outcome>: Sendable {
  /// The identifier of the event. By convention, it has the form `feature.whatHappened`.
  ///
  /// This package reserves identifiers that begin with `activity.`, `app.`, `background.`,
  /// `context.`, `modules.`, `notification.`, `process.`, or `scene.`.
  public let id: StaticString
  /// The declaring property's name, which distinguishes two events with the same identifier.
  @usableFromInline package let declaration: StaticString
  @usableFromInline package let rule: CombiningRule<Outcome>

  /// Creates an event with an outcome.
  ///
  /// - Parameters:
  ///   - id: The identifier of the event.
  ///   - rule: The rule that combines the answers.
  ///   - declaration: The name of the property that declares the event.
  @_alwaysEmitIntoClient public init(
    _ id: StaticString, combining rule: CombiningRule<Outcome>, declaration: StaticString = #function
  ) {
    self.id = id
    self.declaration = declaration
    self.rule = rule
  }

  /// Creates an event without an outcome.
  @_alwaysEmitIntoClient public init(_ id: StaticString, declaration: StaticString = #function) where Outcome == Void {
    self.init(id, combining: CombiningRule(initial: ()) { _, _ in }, declaration: declaration)
  }

  /// Selected when the event has an outcome and no rule. See ProvideDiagnostics.swift in Registry.
  @_disfavoredOverload @_alwaysEmitIntoClient
  @available(
    *, unavailable,
    message: """
      an event without an outcome needs 'Outcome == Void' in its extension, and one with an outcome needs a rule that \
      combines the answers of its handlers; pass 'combining:', for example '.all' or '.any' for 'Bool', '.first' for an \
      optional, or '.init(initial: 0) { $0 += $1 }' [missing-rule]
      """
  )
  public init(_ id: StaticString) { fatalError() }
}
