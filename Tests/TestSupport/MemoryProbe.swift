import Foundation

/// A runner of the program MemoryProbe, which was built beside the tests.
///
/// Nothing else allocates memory in the program's process.
public enum MemoryProbe {
  public struct Failed: Error {
    public let output: String
  }

  /// Returns the number of bytes by which the memory in use grows during a number of rounds.
  ///
  /// Without a leak, the growth is within the tolerance.
  ///
  /// - Parameters:
  ///   - scenario: The name of the scenario that each round runs.
  ///   - warmUp: The number of rounds before the first measurement, in which logs fill up and
  ///     tables reach their final size.
  ///   - rounds: The number of rounds between the two measurements.
  public static func growth(_ scenario: String, warmUp: Int, rounds: Int) throws -> Int {
    // Disable the caches that glibc keeps for each thread, because they would grow with every
    // thread of Dispatch.
    let settings = "GLIBC_TUNABLES=glibc.malloc.tcache_count=0"
    let result = try Command.run(
      "env", [settings, try BuiltProgram.path("MemoryProbe"), scenario, "\(warmUp)", "\(rounds)"])
    let words = result.output.split(whereSeparator: \.isWhitespace)
    guard result.succeeded, words.count == 4, words[0] == "before", words[2] == "after", let before = Int(words[1]),
      let after = Int(words[3])
    else { throw Failed(output: "status \(result.status): \(result.output)") }
    return after - before
  }

  /// The growth that is no leak: memory that the C library keeps, and tables of the runtime.
  public static let tolerance = 16_384

  /// The growth that is no leak if tasks run.
  ///
  /// Dispatch keeps a thousand blocks, 72 KB, for each of its threads.
  public static let toleranceOfDispatch = 262_144
}
