import Measuring

/// From first use to every service findable and every module in order, each time in a process of its own. The image is open
/// by then: what the loader does is the loader's.
@MainActor struct StartUp {
  enum Records: String {
    /// Records written as C would, the modules of one class by one accessor.
    case c
    /// The same, with classes that are found by their names.
    case named
    /// Exported by attributes.
    case swift
  }

  /// Nanoseconds in each process.
  struct Times {
    var ordered: [Double] = []
    var started: [Double] = []
    var read: [Double] = []
  }

  private static var known: [String: Times] = [:]

  /// Measures, once for each size.
  static func times(_ count: Int, _ records: Records, _ effort: Effort) throws -> Times {
    let key = "\(records)-\(count)"
    if let times = known[key] { return times }
    let images = try images(count, records)
    var times = Times()
    for _ in 0..<effort.processes {
      let used = try Program.child(["first-use", records.rawValue, "\(count)"] + images)
      let read = try Program.child(["read", images[0]])
      guard used.count == 2, read.count == 1 else {
        throw FirstUse.Wrong(description: "\(key): the child does not say how long it took")
      }
      times.ordered.append(used[0])
      times.started.append(used[1])
      times.read.append(read[0])
    }
    known[key] = times
    return times
  }

  /// The image with the records first.
  private static func images(_ count: Int, _ records: Records) throws -> [String] {
    switch records {
    case .c: [try RecordImage.make(count, .one)]
    case .named: [try RecordImage.make(count, .named), try SwiftImage.make(count, exports: false)]
    case .swift: [try SwiftImage.make(count, exports: true)]
    }
  }

  /// The child's part.
  static func firstUse(_ records: String, _ count: Int, _ images: [String]) throws {
    guard let records = Records(rawValue: records) else { throw FirstUse.Wrong(description: "no such records") }
    let names = (0..<count).map { RecordImage.module($0, records == .c ? .one : .named) }
    try FirstUse.run(images, names: names, isGenerated: records == .swift)
  }
}

private func milliseconds(_ times: [Double]) -> [Double] { times.map { $0 / 1e6 } }

@MainActor let startUpBenchmarks = [
  startUp("startup.100", 100, .c), startUp("startup.1000", 1_000, .c, goal: .value(0.8)),
  startUp("startup.10000", 10_000, .c), startUp("startup.100000", 100_000, .c),
  startUp("startup.1000.named", 1_000, .named), startUp("startup.100.swift", 100, .swift),
  startUp("startup.1000.swift", 1_000, .swift, goal: .value(2)),
  // Until every module is made and set up as well, which is the modules' own business.
  Benchmark("startup.1000.started") { name, effort in
    let times = try StartUp.times(1_000, .c, effort)
    return Comparison(name, ours: milliseconds(times.started), baseline: milliseconds(times.read), unit: "ms")
  },
  // For one service and one module, of many against one of few.
  Benchmark("startup.growth") { name, effort in
    let many = try StartUp.times(100_000, .c, effort).ordered.map { $0 / 100_000 }
    let few = try StartUp.times(1_000, .c, effort).ordered.map { $0 / 1_000 }
    return Comparison(name, ours: many, baseline: few, goal: .ratio(2))
  },
]

@MainActor private func startUp(
  _ name: String, _ count: Int, _ records: StartUp.Records, goal: Goal? = nil
) -> Benchmark {
  Benchmark(name, isSlow: records != .c) { name, effort in
    let times = try StartUp.times(count, records, effort)
    return Comparison(
      name, ours: milliseconds(times.ordered), baseline: milliseconds(times.read), unit: "ms", goal: goal)
  }
}
