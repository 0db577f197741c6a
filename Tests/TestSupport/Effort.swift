import Foundation

/// How much a costly test does: little by itself, and as much as the environment says.
public enum Effort {
  /// A number of seconds, `REGISTRY_<name>` in the environment.
  public static func seconds(_ name: String, default standard: Double) -> Double {
    value(of: name).flatMap(Double.init) ?? standard
  }

  /// A number of rounds, sequences or elements, `REGISTRY_<name>` in the environment.
  public static func count(_ name: String, default standard: Int) -> Int {
    value(of: name).flatMap { Int($0) } ?? standard
  }

  /// The time limit, in minutes, of a costly test and of its neighbors: 20, and 1 for each thousand
  /// rounds.
  public static func minutes(_ names: String...) -> Int {
    names.reduce(20) { $0 + count($1, default: 1_000) / 1_000 }
  }

  private static func value(of name: String) -> String? { ProcessInfo.processInfo.environment["REGISTRY_" + name] }
}
