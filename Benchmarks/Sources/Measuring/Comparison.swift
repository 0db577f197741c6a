/// What is good enough.
public enum Goal: Sendable {
  /// The largest ratio of ours to the baseline.
  case ratio(Double)
  /// The largest value of ours.
  case value(Double)
}

/// Two ways to do one thing, measured side by side: a row of the table.
public struct Comparison: Sendable, Encodable {
  public let name: String
  /// Medians, for one operation.
  public let ours: Double
  /// The same of what it is compared with; nil if there is no such thing.
  public let baseline: Double?
  public let unit: String
  /// The median of the ratios of rounds side by side.
  public let ratio: Double?
  /// Nil if it is only reported.
  public let goal: Goal?
  /// The middle half of the rounds of ours: how far the quartiles are apart, relative to the median.
  public let spread: Double
  /// What a reader should know of this run; nil as a rule.
  public var note: String?

  /// Makes a row of what rounds came to: of both sides as many, each beside the other.
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

  /// Whether the goal is met; nil if there is none.
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

  /// Every row has every member, null where there is nothing to say.
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
