/// A loop that performs a number of operations and returns a checksum as proof of its work.
public typealias Loop = (Int) throws -> Int

/// A loop that also returns its time, in nanoseconds.
public typealias TimedLoop = (Int) throws -> (sum: Int, time: UInt64)

/// The extent of a measurement.
public struct Effort: Sendable {
  /// The number of turns for each side of a comparison.
  public let rounds: Int
  /// The intended duration of a turn, in seconds.
  let seconds: Double
  /// The number of processes for measurements that are possible only once per process.
  public let processes: Int
  /// A Boolean value that indicates whether a run only verifies that the benchmarks work.
  public let isQuick: Bool

  /// The effort of a regular run.
  ///
  /// Its turns are short and numerous, so that other work on the machine affects few of them.
  public static let full = Effort(rounds: 101, seconds: 0.005, processes: 9, isQuick: false)
  public static let quick = Effort(rounds: 3, seconds: 0.0005, processes: 1, isQuick: true)

  /// Measures two loops in alternating turns, so that other work on the machine affects both.
  ///
  /// - Parameter checksum: A closure that returns the correct result of both loops for a number of
  ///   operations.
  public func compare(
    _ name: String, goal: Goal? = nil, checksum: (Int) -> Int, ours: Loop, baseline: Loop
  ) throws -> Comparison {
    try withoutActuallyEscaping(ours) { ours in
      try withoutActuallyEscaping(baseline) { baseline in
        try compareTimed(name, goal: goal, checksum: checksum, ours: timed(ours), baseline: timed(baseline))
      }
    }
  }

  /// Compares two loops that measure their own time.
  public func compareTimed(
    _ name: String, goal: Goal? = nil, checksum: (Int) -> Int, ours: TimedLoop, baseline: TimedLoop
  ) throws -> Comparison {
    let counts = try (count(name, checksum, ours), count(name, checksum, baseline))
    var times: (ours: [Double], baseline: [Double]) = ([], [])
    for round in 0..<rounds {
      // Alternate the order, because the first loop warms the caches for the second one.
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

  /// Runs a loop and returns the nanoseconds for one operation.
  private func turn(_ name: String, _ count: Int, _ checksum: (Int) -> Int, _ loop: TimedLoop) throws -> Double {
    let (sum, time) = try loop(count)
    guard sum == checksum(count) else { throw WrongChecksum(expected: checksum(count), found: sum) }
    return Double(time) / Double(count)
  }

  /// Returns the number of operations that fill the intended duration of a turn.
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
      // Use the clock of the thread, because the loops run only on this thread and make no progress
      // while other threads have the core.
      let start = threadTime()
      let sum = try loop(count)
      return (sum, threadTime() - start)
    }
  }
}
