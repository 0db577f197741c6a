/// The ranks of one service's implementations whose records a tool has read, by index in load
/// order.
package struct RecordedRanks {
  private let ranks: [Rank]
  package let preferred: Int

  /// Ranks implementations of one batch; returns nil if none exist.
  package init?(priorities: [Int]) {
    ranks = priorities.enumerated().map { Rank(batch: 0, priority: $1, order: $0) }
    guard let first = ranks.min() else { return nil }
    preferred = first.order
  }

  /// The implementations that rank after the preferred one only by load order.
  package var ties: [Int] {
    ranks.filter { $0.order != preferred && $0.ties(with: ranks[preferred]) }.map(\.order)
  }

  package func message(_ first: String, _ other: String) -> String { ranks[preferred].tieMessage(first, other) }
}
