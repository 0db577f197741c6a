// The overloads that the type checker falls back on when an event is declared without a rule, so
// that the compiler reports their messages. They are unavailable, so correct code never selects
// them. See ProvideDiagnostics.swift in Registry.

extension EventDeclaration {
  /// Selected when the event has an outcome and no rule.
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
