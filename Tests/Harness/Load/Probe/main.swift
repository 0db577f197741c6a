// Runs each scenario at a quarter of its size and at its size, each in a process of its own, and
// prints the processor time and memory of each phase.
//
//   LoadProbe                  all scenarios
//   LoadProbe SCENARIO SIZE    one of them, in this process

import Foundation

private struct Scenario {
  let name: String
  let size: Int
  let run: @MainActor (Meter) throws -> Void
}

private let scenarios: [Scenario] = [
  Scenario(name: "images", size: 1_000, run: images),
  Scenario(name: "records-of-many-protocols", size: 100_000, run: recordsOfManyProtocols),
  Scenario(name: "records-of-one-protocol", size: 100_000, run: recordsOfOneProtocol),
  Scenario(name: "records-of-no-use", size: 100_000, run: recordsOfNoUse),
  Scenario(name: "malformed-records", size: 100_000, run: malformedRecords),
  Scenario(name: "handlers", size: 10_000, run: handlers),
]

/// Runs a scenario in another process, and returns the seconds and megabytes of each phase.
private func measure(_ scenario: Scenario, size: Int) throws -> [(phase: String, seconds: Double, memory: Double)] {
  let process = Process(), output = Pipe()
  process.executableURL = Bundle.main.executableURL
  process.arguments = [scenario.name, "\(size)"]
  process.standardOutput = output
  try process.run()
  let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  process.waitUntilExit()
  require(process.terminationStatus == 0, "\(scenario.name) \(size) exits with \(process.terminationStatus)")
  return text.split(separator: "\n").map { line in
    let fields = line.split(separator: "\t")
    return (String(fields[0]), Double(fields[1])!, Double(fields[2])!)
  }
}

let arguments = CommandLine.arguments
if arguments.count == 3, let size = Int(arguments[2]) {
  // A scenario that takes more seconds of processor time does not end.
  var limit = rlimit(rlim_cur: 120, rlim_max: 120)
  setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &limit)
  try scenarios.first { $0.name == arguments[1] }?.run(Meter(size: size))
  exit(0)
}
print("result, seconds, at a quarter, growth, MB")
var failures = 0
for scenario in scenarios {
  let quarter = try measure(scenario, size: scenario.size / 4)
  for (before, after) in zip(quarter, try measure(scenario, size: scenario.size)) {
    // Growth is based on processor time, which other programs affect less than elapsed time. Times
    // of a few milliseconds are not significant.
    let growth = after.seconds / max(before.seconds, 0.01)
    // Four times the size takes four times as long, or slightly longer if the data no longer fits in
    // the caches. Quadratic growth would be 16. For each image that is loaded or unloaded, the loader
    // traverses all loaded images, and so must a scan.
    let isLinear = growth <= (scenario.name == "images" && after.phase.hasSuffix("one by one") ? 30 : 12)
    if !isLinear { failures += 1 }
    let numbers = String(format: "%7.2f %7.2f %5.1f %5.0f", after.seconds, before.seconds, growth, after.memory)
    print(isLinear ? "ok    " : "FAILED", numbers, scenario.name, scenario.size, after.phase)
  }
}
print(failures == 0 ? "time grows linearly" : "FAILED: \(failures) phases grow faster than expected")
exit(failures == 0 ? 0 : 1)
