import Foundation

/// Runs the program `MemoryProbe`, which was built beside the tests: in a process of its own nothing else takes memory.
public enum MemoryProbe {
  public struct Failed: Error {
    public let output: String
  }

  /// How much more memory is in use after so many rounds, in bytes; nothing worth speaking of, if all is well.
  ///
  /// - Parameters:
  ///   - scenario: What is done in each round.
  ///   - warmUp: How often it is done before memory is looked at: logs fill up, and tables grow to their size.
  public static func growth(_ scenario: String, warmUp: Int, rounds: Int) throws -> Int {
    // What glibc keeps for each thread it counts as used, and that would come with every thread of Dispatch's.
    let settings = "GLIBC_TUNABLES=glibc.malloc.tcache_count=0"
    let result = try Command.run(
      "env", [settings, try BuiltProgram.path("MemoryProbe"), scenario, "\(warmUp)", "\(rounds)"])
    let words = result.output.split(whereSeparator: \.isWhitespace)
    guard result.succeeded, words.count == 4, words[0] == "before", words[2] == "after", let before = Int(words[1]),
      let after = Int(words[3])
    else { throw Failed(output: "status \(result.status): \(result.output)") }
    return after - before
  }

  /// What may be in use besides: what the C library keeps for itself, and tables of the run time.
  public static let tolerance = 16_384

  /// The same where tasks run: Dispatch keeps a thousand blocks for each of its threads, 72 KB.
  public static let toleranceOfDispatch = 262_144
}
