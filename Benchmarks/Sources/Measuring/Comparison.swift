/// The largest acceptable result of a comparison.
public enum Goal: Sendable {
  /// The largest ratio of our result to the baseline.
  case ratio(Double)
  /// The largest value of our result.
  case value(Double)
}

/// A comparison of two ways to do the same thing, which is a row of the table.
public struct Comparison: Sendable, Encodable {
  public let name: String
  /// The median of our results for one operation.
  public let ours: Double
  /// The median of the baseline's results for one operation, or nil if there is no baseline.
  public let baseline: Double?
  public let unit: String
  /// The median of the ratios of corresponding rounds, or nil if there is none.
  public let ratio: Double?
  /// The goal, or nil if the result is only reported.
  public let goal: Goal?
  /// The distance between the quartiles of our results, relative to the median.
  public let spread: Double
  /// A note about this run for readers, or nil.
  public var note: String?

  /// Creates a row from the results of rounds.
  ///
  /// Both sides have the same number of results. Results with the same index belong to the same
  /// round.
  public init(_ name: String, ours: [Double], baseline: [Double]?, unit: String = "ns", goal: Goal? = nil) {
    self.name = name
    self.ours = median(ours)
    self.baseline = baseline.map(median)
    self.unit = unit
    ratio = baseline.flatMap { baseline in
      baseline.contains(0) ? nil : median(zip(ours, baseline).map { $0 / $1 })
    }
    self.goal = goal
    spread = Measuring.spread(ours)
  }

  /// A Boolean value that indicates whether the goal is met, or nil if there is none.
  public var met: Bool? {
    switch goal {
    case .ratio(let limit): ratio.map { $0 <= limit } ?? (ours == 0)
    case .value(let limit): ours <= limit
    case nil: nil
    }
  }

  private enum Key: String, CodingKey {
    case name, ours, baseline, unit, ratio, goal, goalOf, met, spread, note
  }

  /// Encodes the row. Every row has all members, and a missing value is null.
  public func encode(to encoder: any Encoder) throws {
    var row = encoder.container(keyedBy: Key.self)
    try row.encode(name, forKey: .name)
    try row.encode(ours, forKey: .ours)
    try row.encode(baseline, forKey: .baseline)
    try row.encode(unit, forKey: .unit)
    try row.encode(ratio, forKey: .ratio)
    let (limit, of): (Double?, String?) =
      switch goal {
      case .ratio(let limit): (limit, "ratio")
      case .value(let limit): (limit, "ours")
      case nil: (nil, nil)
      }
    try row.encode(limit, forKey: .goal)
    try row.encode(of, forKey: .goalOf)
    try row.encode(met, forKey: .met)
    try row.encode(spread, forKey: .spread)
    try row.encode(note, forKey: .note)
  }
}
