/// The ranks of implementations of one service and name whose records a tool has read.
///
/// An implementation is identified by its index in load order.
package struct RecordedRanks {
  private let ranks: [Rank]
  /// The implementation that lookups find.
  package let preferred: Int

  /// Ranks implementations of one batch; returns nil if there are none.
  package init?(priorities: [Int]) {
    ranks = priorities.enumerated().map { Rank(batch: 0, priority: $1, order: $0) }
    guard let first = ranks.min() else { return nil }
    preferred = first.order
  }

  /// The implementations that only the load order ranks after the preferred one.
  package var ties: [Int] {
    ranks.filter { $0.order != preferred && $0.ties(with: ranks[preferred]) }.map(\.order)
  }

  /// Returns the message about a tie, given the labels of both implementations.
  package func message(_ first: String, _ other: String) -> String { ranks[preferred].tieMessage(first, other) }
}
