/// An event with asynchronous handlers, for example for callbacks with a completion handler.
///
/// ```swift
/// extension AsyncEvent where Payload == User, Outcome == [Message] {
///   public static var fetchMessages: Self { .init("mail.fetchMessages", combining: .collect) }
/// }
/// events.on(.fetchMessages) { module, user, context in
///   try await module.fetch(for: user)
/// }
/// let messages = await modules.trigger(.fetchMessages, user)
/// ```
///
/// Answers are combined in handler order, even if they arrive in a different order. An identifier
/// belongs to either an ``Event`` or an ``AsyncEvent``; using it for both is reported as
/// `event-mismatch`.
public struct AsyncEvent<Payload, Outcome>: Sendable {
  /// The identifier of the event. By convention, it has the form `feature.whatHappened`.
  public let id: StaticString
  /// The declaring property's name, which distinguishes two events with the same identifier.
  package let declaration: StaticString
  package let rule: CombiningRule<Outcome>

  /// Creates an event with an outcome.
  ///
  /// - Parameters:
  ///   - id: The identifier of the event.
  ///   - rule: The rule that combines the answers.
  ///   - declaration: The name of the property that declares the event.
  public init(
    _ id: StaticString, combining rule: CombiningRule<Outcome>, declaration: StaticString = #function
  ) {
    self.id = id
    self.declaration = declaration
    self.rule = rule
  }

  /// Creates an event without an outcome.
  public init(_ id: StaticString, declaration: StaticString = #function) where Outcome == Void {
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
