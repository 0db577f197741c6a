import Foundation
import HeapInUse

/// A program that repeats one scenario and prints the memory in use before and after.
///
/// `MemoryProbe SCENARIO WARM-UP ROUNDS` prints `before BYTES` and `after BYTES`.
@main struct Probe {
  @MainActor static func main() async throws {
    let arguments = CommandLine.arguments
    let scenarios = services.merging(modules) { one, _ in one }.merging(images) { one, _ in one }
    guard arguments.count == 4, let make = scenarios[arguments[1]], let warmUp = Int(arguments[2]),
      let rounds = Int(arguments[3])
    else {
      print("MemoryProbe SCENARIO WARM-UP ROUNDS, where SCENARIO is one of", scenarios.keys.sorted())
      exit(2)
    }
    let body = try await make()
    for round in 0..<warmUp { try await body(round) }
    let before = heap_in_use()
    for round in warmUp..<(warmUp + rounds) { try await body(round) }
    print("before \(before)\nafter \(heap_in_use())")
  }

  /// A function that prepares a scenario and returns the closure for each round, which receives the
  /// number of the round.
  typealias Scenario = @MainActor () async throws -> @MainActor (Int) async throws -> Void

  /// An expectation that was not met.
  struct Wrong: Error {
    let message: String
  }

  @MainActor static func check(_ isRight: Bool, _ message: @autoclosure () -> String) throws {
    if !isRight { throw Wrong(message: message()) }
  }
}
