/// A random number generator that produces the same numbers for the same seed.
///
/// The algorithm is SplitMix64.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  public init(seed: UInt64) {
    state = seed
  }

  public mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }

  /// Returns true with a probability of one in the given number of times.
  public mutating func one(in times: Int) -> Bool { Int.random(in: 0..<times, using: &self) == 0 }

  /// Returns a number that is less than a bound.
  public mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
}

/// Returns a failing sequence of steps without the steps that the failure does not need.
///
/// The function first removes large parts, and then single steps.
public func shrunk<Step>(_ steps: [Step], fails: ([Step]) -> Bool) -> [Step] {
  var steps = steps
  var size = max(1, steps.count / 2)
  while true {
    var start = 0
    var isSmaller = false
    while start < steps.count {
      let fewer = Array(steps[..<start] + steps[min(start + size, steps.count)...])
      if fails(fewer) {
        steps = fewer
        isSmaller = true
      } else {
        start += size
      }
    }
    if size > 1 { size /= 2 } else if !isSmaller { return steps }
  }
}
