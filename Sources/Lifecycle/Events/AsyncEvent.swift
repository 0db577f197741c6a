/// An event whose handlers can take their time, for systems that wait for a completion handler.
///
/// ```swift
/// extension AsyncEvent where Payload == User, Outcome == Int {
///   public static var fetchMessages: Self { .init("mail.fetchMessages", initial: 0) { $0 += $1 } }
/// }
/// events.on(.fetchMessages) { module, user, context in
///   try await module.fetch(for: user)
/// }
/// let count = await modules.trigger(.fetchMessages, user)
/// ```
///
/// Answers are combined in the order of handlers, regardless of the order in which they arrive. An
/// identifier belongs either to an ``Event`` or to an ``AsyncEvent``; using it for both is reported
/// as `event-mismatch`.
public struct AsyncEvent<Payload, Outcome>: EventDeclaration {
  /// The identifier and the rule that combines answers.
  package let rule: Event<Payload, Outcome>

  public var id: StaticString { rule.id }

  public init(
    _ id: StaticString, initial: @autoclosure @escaping @Sendable () -> Outcome,
    combine: @escaping @Sendable (inout Outcome, Outcome) -> Void
  ) {
    rule = Event(id, initial: initial(), combine: combine)
  }
}
