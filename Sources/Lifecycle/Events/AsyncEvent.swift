/// An event that modules take their time to answer, for where a system waits for a completion handler.
///
/// ```swift
/// extension AsyncEvent where Payload == RemoteNotification, Outcome == FetchResult {
///   public static var didReceiveRemoteNotification: Self {
///     .init("app.didReceiveRemoteNotification", initial: .noData, combine: { $0 = $0.combined(with: $1) })
///   }
/// }
/// events.on(.didReceiveRemoteNotification) { module, notification, context in try await module.fetch() }
/// let result = await modules.ask(.didReceiveRemoteNotification, notification)
/// ```
///
/// As an ``Event`` it is its id and both types together, and answers are combined by its rule in the order of handlers,
/// whoever answers first. An event is one or the other: the same id as an ``Event`` is reported and not delivered.
public struct AsyncEvent<Payload, Outcome>: Sendable {
  /// How answers are combined.
  let rule: Event<Payload, Outcome>

  /// By convention `feature.whatHappened`.
  public var id: StaticString { rule.id }

  /// What is triggered: handlers are given the question, and start to answer it.
  var question: Event<AsyncQuestion<Payload, Outcome>, Void> { .init(rule.id) }

  /// Makes an event with a rule of its own; see ``Event/init(_:initial:combine:)``.
  public init(
    _ id: StaticString, initial: @autoclosure @escaping @Sendable () -> Outcome,
    combine: @escaping @Sendable (inout Outcome, Outcome) -> Void
  ) {
    rule = Event(id, initial: initial(), combine: combine)
  }
}

extension AsyncEvent where Outcome == Void {
  /// Makes an event of which is asked only when everybody is done with it.
  public init(_ id: StaticString) {
    rule = Event(id)
  }
}

extension AsyncEvent where Outcome == Bool {
  /// Makes an event that is true if one handler says so.
  public init(_ id: StaticString) {
    rule = Event(id)
  }
}

extension AsyncEvent where Outcome: OptionSet & SendableMetatype {
  /// Makes an event whose outcome is the union of the answers.
  public init(_ id: StaticString) {
    rule = Event(id)
  }
}

extension AsyncEvent {
  /// Makes an event whose outcome is the first answer, in the order of handlers, that is not nil.
  public init<Wrapped>(_ id: StaticString) where Outcome == Wrapped? {
    rule = Event(id)
  }

  /// Makes an event whose outcome is all answers, one after the other.
  public init<Element>(_ id: StaticString) where Outcome == [Element] {
    rule = Event(id)
  }
}
