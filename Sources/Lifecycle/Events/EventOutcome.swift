/// The outcome of an event while its handlers run.
@frozen @usableFromInline struct EventOutcome<Outcome> {
  @usableFromInline var value: Outcome
  @usableFromInline let combine: @Sendable (inout Outcome, Outcome) -> Void

  @_alwaysEmitIntoClient init<Payload>(_ event: Event<Payload, Outcome>) {
    value = event.rule.initial()
    combine = event.rule.combine
  }

  @_alwaysEmitIntoClient mutating func add(_ answer: Outcome) {
    combine(&value, answer)
  }
}
