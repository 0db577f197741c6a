import Foundation

/// Two ways to do one thing, measured side by side.
public struct Comparison: Sendable, Codable {
  public var name: String
  /// Medians, in nanoseconds for one operation unless `unit` says otherwise.
  public var ours: Double
  public var baseline: Double?
  public var unit: String
  public var ratio: Double?
  /// The largest ratio, or value where there is no baseline, that is good enough; nil if it is only reported.
  public var goal: Double?
  public var met: Bool?
  /// The middle half of the rounds: how far the quartiles are apart, relative to the median.
  public var spread: Double
}

/// How much is measured.
public struct Effort: Sendable {
  public var rounds: Int
  /// How long a round of one side should take, in seconds.
  public var seconds: Double

  public static let full = Effort(rounds: 41, seconds: 0.02)
  /// Enough to see that everything runs.
  public static let quick = Effort(rounds: 3, seconds: 0.001)
}

/// The work did not come to what it should have.
public struct WrongChecksum: Error, CustomStringConvertible {
  public let name: String
  public let expected: Int
  public let found: Int

  public var description: String { "\(name): the checksum is \(found) and should be \(expected)" }
}

/// What is measured: a loop of so many operations that returns a checksum.
public typealias Loop = (Int) throws -> Int

public func now() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

extension Effort {
  /// Measures two loops in turns, so that whatever else the machine does hits both.
  ///
  /// - Parameters:
  ///   - goal: The largest ratio that is good enough.
  ///   - checksum: What either loop returns for a count of operations.
  public func compare(
    _ name: String, goal: Double? = nil, checksum: (Int) -> Int, ours: Loop, baseline: Loop
  ) throws -> Comparison {
    let counts = try [count(ours), count(baseline)]
    var times: [[Double]] = [[], []]
    for round in 0..<rounds {
      // Whoever goes first warms the caches for the other.
      for side in round.isMultiple(of: 2) ? [0, 1] : [1, 0] {
        let loop = side == 0 ? ours : baseline
        let start = now()
        let sum = try loop(counts[side])
        let end = now()
        guard sum == checksum(counts[side]) else {
          throw WrongChecksum(name: name, expected: checksum(counts[side]), found: sum)
        }
        times[side].append(Double(end - start) / Double(counts[side]))
      }
    }
    // Of ratios the median as well: each is of two rounds side by side.
    let ratio = median(zip(times[0], times[1]).map { $0 / $1 })
    return Comparison(
      name: name, ours: median(times[0]), baseline: median(times[1]), unit: "ns", ratio: ratio, goal: goal,
      met: goal.map { ratio <= $0 }, spread: spread(times[0]))
  }

  /// Measures one loop.
  public func report(_ name: String, goal: Double? = nil, checksum: (Int) -> Int, _ loop: Loop) throws -> Comparison {
    let count = try count(loop)
    var times: [Double] = []
    for _ in 0..<rounds {
      let start = now()
      let sum = try loop(count)
      let end = now()
      guard sum == checksum(count) else { throw WrongChecksum(name: name, expected: checksum(count), found: sum) }
      times.append(Double(end - start) / Double(count))
    }
    let ours = median(times)
    return Comparison(
      name: name, ours: ours, unit: "ns", goal: goal, met: goal.map { ours <= $0 }, spread: spread(times))
  }

  /// How many operations take as long as a round should.
  private func count(_ loop: Loop) throws -> Int {
    var count = 1
    while true {
      let start = now()
      _ = try loop(count)
      let time = Double(now() - start) / 1e9
      if time >= seconds / 2 || count >= 1 << 30 { return max(1, Int(Double(count) * seconds / max(time, 1e-9))) }
      count *= time < seconds / 16 ? 8 : 2
    }
  }
}

public func median(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  return sorted.isEmpty ? .nan : (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
}

private func spread(_ values: [Double]) -> Double {
  let sorted = values.sorted()
  guard sorted.count > 3 else { return 0 }
  return (sorted[sorted.count * 3 / 4] - sorted[sorted.count / 4]) / median(sorted)
}
