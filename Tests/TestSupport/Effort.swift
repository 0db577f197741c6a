import Foundation

/// The effort of the costly tests, which is small unless the environment raises it.
public enum Effort {
  /// Returns a number of seconds, which the environment can override.
  ///
  /// The variable is `REGISTRY_<name>`.
  public static func seconds(_ name: String, default standard: Double) -> Double {
    value(of: name).flatMap(Double.init) ?? standard
  }

  /// Returns a number of rounds, sequences, or elements, which the environment can override.
  ///
  /// The variable is `REGISTRY_<name>`.
  public static func count(_ name: String, default standard: Int) -> Int {
    value(of: name).flatMap { Int($0) } ?? standard
  }

  /// The seed of the first random sequence, which is `REGISTRY_SEED`, `SEED`, or 1.
  ///
  /// Random tests of plain `swift test` repeat the same sequences in each run. A failed test prints
  /// the seed of its sequence.
  public static var seed: Int {
    count("SEED", default: ProcessInfo.processInfo.environment["SEED"].flatMap { Int($0) } ?? 1)
  }

  /// Returns the time limit, in minutes, of a costly test and of the tests that run with it.
  ///
  /// The limit is 20 minutes and 1 more for each thousand rounds.
  public static func minutes(_ names: String...) -> Int {
    names.reduce(20) { $0 + count($1, default: 1_000) / 1_000 }
  }

  private static func value(of name: String) -> String? { ProcessInfo.processInfo.environment["REGISTRY_" + name] }
}
