/// A loop of so many operations that returns a checksum, which shows that the work was done.
public typealias Loop = (Int) throws -> Int

/// The same with a clock of its own: also returns nanoseconds.
public typealias TimedLoop = (Int) throws -> (sum: Int, time: UInt64)

/// How much is measured.
public struct Effort: Sendable {
  /// How often each side of a comparison has its turn.
  public let rounds: Int
  /// How long a turn should take, in seconds.
  let seconds: Double
  /// How many processes there are of what can be measured once in a process.
  public let processes: Int
  /// Whether it is enough to see that everything runs.
  public let isQuick: Bool

  /// Turns are short and many, so that what else the machine does spoils few of them.
  public static let full = Effort(rounds: 101, seconds: 0.005, processes: 9, isQuick: false)
  public static let quick = Effort(rounds: 3, seconds: 0.0005, processes: 1, isQuick: true)

  /// Measures two loops in turns, so that whatever else the machine does hits both.
  ///
  /// - Parameter checksum: What either loop returns for a count of operations.
  public func compare(
    _ name: String, goal: Goal? = nil, checksum: (Int) -> Int, ours: Loop, baseline: Loop
  ) throws -> Comparison {
    try withoutActuallyEscaping(ours) { ours in
      try withoutActuallyEscaping(baseline) { baseline in
        try compareTimed(name, goal: goal, checksum: checksum, ours: timed(ours), baseline: timed(baseline))
      }
    }
  }

  /// Measures two loops that have clocks of their own.
  public func compareTimed(
    _ name: String, goal: Goal? = nil, checksum: (Int) -> Int, ours: TimedLoop, baseline: TimedLoop
  ) throws -> Comparison {
    let counts = try (count(name, checksum, ours), count(name, checksum, baseline))
    var times: (ours: [Double], baseline: [Double]) = ([], [])
    for round in 0..<rounds {
      // Whoever goes first warms the caches for the other.
      if round.isMultiple(of: 2) { times.ours.append(try turn(name, counts.0, checksum, ours)) }
      times.baseline.append(try turn(name, counts.1, checksum, baseline))
      if !round.isMultiple(of: 2) { times.ours.append(try turn(name, counts.0, checksum, ours)) }
    }
    return Comparison(name, ours: times.ours, baseline: times.baseline, goal: goal)
  }

  /// Measures one loop.
  public func report(_ name: String, checksum: (Int) -> Int, _ loop: Loop) throws -> Comparison {
    let times = try withoutActuallyEscaping(loop) { loop in
      let loop = timed(loop)
      let count = try count(name, checksum, loop)
      return try (0..<rounds).map { _ in try turn(name, count, checksum, loop) }
    }
    return Comparison(name, ours: times, baseline: nil)
  }

  /// Nanoseconds for one operation.
  private func turn(_ name: String, _ count: Int, _ checksum: (Int) -> Int, _ loop: TimedLoop) throws -> Double {
    let (sum, time) = try loop(count)
    guard sum == checksum(count) else { throw WrongChecksum(expected: checksum(count), found: sum) }
    return Double(time) / Double(count)
  }

  /// How many operations take as long as a turn should.
  private func count(_ name: String, _ checksum: (Int) -> Int, _ loop: TimedLoop) throws -> Int {
    var count = 1
    while true {
      let time = try turn(name, count, checksum, loop) * Double(count) / 1e9
      if time >= seconds / 2 || count >= 1 << 30 { return max(1, Int(Double(count) * seconds / max(time, 1e-9))) }
      count *= time < seconds / 16 ? 8 : 2
    }
  }

  private func timed(_ loop: @escaping Loop) -> TimedLoop {
    { count in
      // The thread's own clock: the loops do all they do on this thread, and stand still when others have the core.
      let start = threadTime()
      let sum = try loop(count)
      return (sum, threadTime() - start)
    }
  }
}
