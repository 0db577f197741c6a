import Measuring

/// The time from first use until every service can be found and every module is ordered.
///
/// Each measurement runs in a separate process that has already opened the image, because the
/// loader's time doesn't count.
@MainActor struct StartUp {
  enum Records: String {
    /// C records with one accessor for all modules, which have a single class.
    case c
    /// C records with classes that the runtime finds by name.
    case named
    /// Records that Swift attributes export.
    case swift
  }

  /// The times of each process, in nanoseconds.
  struct Times {
    var ordered: [Double] = []
    var started: [Double] = []
    var read: [Double] = []
    var floor: [Double] = []
    /// The touched memory of the library and of the floor, in the last process of each.
    var memory: (ours: [Double], floor: [Double]) = ([], [])
  }

  private static var known: [String: Times] = [:]

  /// Returns the times, which are measured once for each number and type of records.
  static func times(_ count: Int, _ records: Records, _ effort: Effort) throws -> Times {
    let key = "\(records)-\(count)"
    if let times = known[key] { return times }
    let images = try images(count, records)
    var times = Times()
    for _ in 0..<effort.processes {
      let used = try Program.child(["first-use", records.rawValue, "\(count)"] + images)
      let read = try Program.child(["read", images[0]])
      let floor = try Program.child(["floor", images[0]])
      guard used.count == 5, read.count == 1, floor.count == 4 else {
        throw FirstUse.Wrong(description: "\(key): the child does not say how long it took")
      }
      times.ordered.append(used[0])
      times.started.append(used[1])
      times.read.append(read[0])
      times.floor.append(floor[0])
      times.memory = (Array(used[2...]), Array(floor[1...]))
    }
    known[key] = times
    return times
  }

  /// Returns the paths of the images. The records are in the first one.
  private static func images(_ count: Int, _ records: Records) throws -> [String] {
    switch records {
    case .c: [try RecordImage.make(count, .one)]
    case .named: [try RecordImage.make(count, .named), try SwiftImage.make(count, exports: false)]
    case .swift: [try SwiftImage.make(count, exports: true)]
    }
  }

  /// Runs the measurement in the child process.
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
  // The same bytes, read by a program that only fills two dictionaries.
  Benchmark("startup.1000.floor") { name, effort in
    let times = try StartUp.times(1_000, .c, effort)
    var row = Comparison(
      name, ours: milliseconds(times.ordered), baseline: milliseconds(times.floor), unit: "ms", goal: .ratio(2))
    row.note = "\(TouchedMemory.note(times.memory.ours)); the floor: \(TouchedMemory.note(times.memory.floor))"
    return row
  },
  // The time of records that name classes, compared with one class for all.
  Benchmark("startup.1000.named", isSlow: true) { name, effort in
    let named = try StartUp.times(1_000, .named, effort).ordered
    let one = try StartUp.times(1_000, .c, effort).ordered
    return Comparison(name, ours: milliseconds(named), baseline: milliseconds(one), unit: "ms", goal: .ratio(3))
  },
  startUp("startup.100.swift", 100, .swift),
  startUp("startup.1000.swift", 1_000, .swift, goal: .value(2)),
  // The time until every module is set up, which includes the modules' own code.
  Benchmark("startup.1000.started") { name, effort in
    let times = try StartUp.times(1_000, .c, effort)
    return Comparison(name, ours: milliseconds(times.started), baseline: milliseconds(times.read), unit: "ms")
  },
  // The time per service and module, for many records compared with few.
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
    var row = Comparison(
      name, ours: milliseconds(times.ordered), baseline: milliseconds(times.read), unit: "ms", goal: goal)
    row.note = TouchedMemory.note(times.memory.ours)
    return row
  }
}
