// Runs one scenario at one size, in a separate process, for `Tests/Harness/Load/run`.

import Foundation

private let scenarios: [(name: String, run: @MainActor (Meter) throws -> Void)] =
  [
    ("images-at-once", imagesAtOnce), ("images-by-the-loader", loaderOneByOne), ("images-one-by-one", imagesOneByOne),
    ("records-of-many-protocols", recordsOfManyProtocols), ("records-of-one-protocol", recordsOfOneProtocol),
    ("records-of-no-use", recordsOfNoUse), ("malformed-records", malformedRecords), ("services", manyServices),
    ("misses", misses),
    ("one-service", oneService), ("handlers", handlers),
  ]
  + Ties.allCases.map { ties in ("modules-\(ties)", { @MainActor meter in try modules(meter, ties) }) }
  + Ties.allCases.map { ties in ("late-modules-\(ties)", { @MainActor meter in try lateModules(meter, ties) }) }

private let arguments = CommandLine.arguments.dropFirst()
guard let name = arguments.first, let size = arguments.last.flatMap({ Int($0) }), size >= 2,
  let scenario = scenarios.first(where: { $0.name == name })
else {
  print("usage: LoadProbe SCENARIO SIZE, where a scenario is one of")
  for scenario in scenarios { print("  \(scenario.name)") }
  exit(2)
}
do {
  try scenario.run(Meter(scenario: name, size: size))
} catch {
  require(false, "\(error)")
}
