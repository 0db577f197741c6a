/// An event whose handlers can take their time, for systems that wait for a completion handler.
///
/// ```swift
/// extension AsyncEvent where Payload == RemoteNotification, Outcome == FetchResult {
///   public static var didReceiveRemoteNotification: Self {
///     .init("app.didReceiveRemoteNotification", initial: .noData) { $0 = $0.combined(with: $1) }
///   }
/// }
/// events.on(.didReceiveRemoteNotification) { module, notification, context in
///   try await module.fetch()
/// }
/// let result = await modules.trigger(.didReceiveRemoteNotification, notification)
/// ```
///
/// Answers are combined in the order of handlers, regardless of the order in which they arrive. An
/// identifier belongs either to an ``Event`` or to an ``AsyncEvent``; using it for both is reported
/// as ``Registry/Diagnostic/Code/eventMismatch``.
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
