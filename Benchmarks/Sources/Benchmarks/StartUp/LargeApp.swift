import Measuring

/// An app with 10,000 records in 200 images, and a plug-in with 100 records.
@MainActor enum LargeApp {
  /// The nanoseconds of first use and of opening the plug-in, and the kilobytes of the heap that
  /// first use dirtied, of each process.
  struct Results {
    var first: [Double] = []
    var heap: [Double] = []
    var opening: [Double] = []
  }

  private static let pairs = 5_000
  private static var known: [Int: Results] = [:]

  /// Returns the results of an app with a number of images and as many records in each.
  static func results(_ images: Int, pairs: Int = pairs, _ effort: Effort) throws -> Results {
    if let results = known[images * pairs] { return results }
    let plugIn = try RecordImage.make(50, .one, from: 500_000)
    let size = pairs / images
    let paths = try (0..<images).map { try RecordImage.make(size, .one, from: $0 * size) }
    var results = Results()
    for _ in 0..<effort.processes {
      let numbers = try Program.child(["large", plugIn] + paths)
      guard numbers.count == 3 else { throw FirstUse.Wrong(description: "the child does not print three numbers") }
      results.first.append(numbers[0])
      results.heap.append(numbers[1])
      results.opening.append(numbers[2])
    }
    known[images * pairs] = results
    return results
  }

  static let benchmarks = [
    // The same records in one image.
    Benchmark("large.startup", isSlow: true) { name, effort in
      let (many, one) = (try results(200, effort).first, try StartUp.times(pairs, .c, effort).started)
      return Comparison(
        name, ours: many.map { $0 / 1e6 }, baseline: one.map { $0 / 1e6 }, unit: "ms", goal: .ratio(2))
    },
    // The bytes of the heap for each record, compared with an app with 1,000 records.
    Benchmark("large.memory", isSlow: true) { name, effort in
      let (many, few) = (try results(200, effort).heap, try results(20, pairs: 500, effort).heap)
      let perRecord = (many.map { $0 * 1_024 / 10_000 }, few.map { $0 * 1_024 / 1_000 })
      return Comparison(name, ours: perRecord.0, baseline: perRecord.1, unit: "B", goal: .ratio(1.2))
    },
    // The plug-in, compared with opening it in an app with two records.
    Benchmark("large.plug-in", isSlow: true) { name, effort in
      let (large, small) = (try results(200, effort).opening, try results(1, pairs: 1, effort).opening)
      return Comparison(
        name, ours: large.map { $0 / 1e3 }, baseline: small.map { $0 / 1e3 }, unit: "us", goal: .ratio(1.2))
    },
  ]
}
