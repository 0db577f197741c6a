/// Something that happens: its id and the types of what it carries and of what modules answer.
///
/// ```swift
/// extension Event where Payload == User, Outcome == Void {
///   public static var userDidLogIn: Self { .init("account.userDidLogIn") }
/// }
/// let handled = modules.trigger(.openURL, url)
/// ```
///
/// An event is its id and both types together: the same id with other types is reported and not delivered.
/// Answers of several handlers are combined by the event's rule.
@frozen public struct Event<Payload, Outcome>: Sendable {
  /// By convention `feature.whatHappened`.
  public let id: StaticString
  @usableFromInline let initial: @Sendable () -> Outcome
  @usableFromInline let combine: @Sendable (inout Outcome, Outcome) -> Void

  /// Makes an event with a rule of its own.
  ///
  /// - Parameters:
  ///   - id: Tells events apart.
  ///   - initial: The outcome if nobody answers.
  ///   - combine: Adds a handler's answer, in the order of handlers.
  @inlinable public init(
    _ id: StaticString, initial: @autoclosure @escaping @Sendable () -> Outcome,
    combine: @escaping @Sendable (inout Outcome, Outcome) -> Void
  ) {
    self.id = id
    self.initial = initial
    self.combine = combine
  }
}

extension Event where Outcome == Void {
  /// Makes an event that nobody answers.
  @inlinable public init(_ id: StaticString) {
    self.init(id, initial: (), combine: { _, _ in })
  }
}

extension Event where Outcome == Bool {
  /// Makes an event that is true if one handler says so.
  @inlinable public init(_ id: StaticString) {
    self.init(id, initial: false, combine: { $0 = $0 || $1 })
  }
}

extension Event where Outcome: OptionSet & SendableMetatype {
  /// Makes an event whose outcome is the union of the answers.
  @inlinable public init(_ id: StaticString) {
    self.init(id, initial: [], combine: { $0.formUnion($1) })
  }
}

extension Event {
  /// Makes an event whose outcome is the first answer that is not nil.
  @inlinable public init<Wrapped>(_ id: StaticString) where Outcome == Wrapped? {
    self.init(id, initial: nil, combine: { if $0 == nil { $0 = $1 } })
  }

  /// Makes an event whose outcome is all answers, one after the other.
  @inlinable public init<Element>(_ id: StaticString) where Outcome == [Element] {
    self.init(id, initial: [], combine: { $0 += $1 })
  }
}
