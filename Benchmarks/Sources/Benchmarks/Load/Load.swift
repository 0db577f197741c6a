import Elsewhere
import Foundation
import Measuring
import Registry

// Repeatedly opens an image without records, both in a process that has used the library and in a
// process that has loaded the same libraries except this one.

@MainActor let loadBenchmarks = [
  Benchmark("load.none") { name, effort in
    var times: (ours: [Double], baseline: [Double]) = ([], [])
    for _ in 0..<effort.processes {
      let (ours, baseline) = try Load.both(effort.isQuick ? 10 : 300, environment: [:])
      times.ours.append(median(ours) / 1e3)
      times.baseline.append(median(baseline) / 1e3)
    }
    return Comparison(name, ours: times.ours, baseline: times.baseline, unit: "us")
  },
  // The allocations per opened image, by the loader and possibly the library.
  Benchmark("load.none.allocations") { name, effort in
    _ = try Images.file("counter.so") { file, _ in
      try Images.compile([Images.source("counter.c")], to: file, flags: ["-shared"])
    }
    let count = 10
    // The path is relative to the folder, because the loader would split an absolute path at
    // spaces.
    let (ours, baseline) = try Load.both(count, environment: ["LD_PRELOAD": "./counter.so"])
    // The loader always allocates memory, so a count of zero means that the counter is broken.
    guard ours.count == 1, baseline.count == 1, baseline[0] > 0 else {
      throw FirstUse.Wrong(description: "\(name): \(ours) and \(baseline) allocations are counted")
    }
    return Comparison(
      name, ours: [ours[0] / Double(count)], baseline: [baseline[0] / Double(count)], unit: "", goal: .ratio(1))
  },
]

enum Load {
  /// Runs both processes and returns the numbers that they print.
  static func both(_ count: Int, environment: [String: String]) throws -> (ours: [Double], baseline: [Double]) {
    let image = try Images.file("none.so") { file, _ in
      try Images.compile([Images.source("none.c")], to: file, flags: ["-shared"])
    }
    let loader = try Images.file("loader") { file, _ in
      try Images.compile([Images.source("loader.c")], to: file, flags: [])
    }
    let ours = try Program.child(["load", "\(count)", image], environment: environment, folder: Images.kept)
    let baseline = try Program.numbers(
      Program.run(loader, ["\(count)", image] + libraries(), environment: environment, folder: Images.kept))
    return (ours, baseline)
  }

  /// Returns the libraries that this process has loaded, in the order of their addresses.
  private static func libraries() throws -> [String] {
    let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
    var paths: [String] = []
    for line in maps.split(separator: "\n") {
      guard let path = line.split(separator: " ").last.map(String.init), path.hasPrefix("/"), path.contains(".so")
      else { continue }
      if !paths.contains(path) { paths.append(path) }
    }
    return paths
  }

  /// Runs the measurement in the child process, and prints the same numbers as the C program.
  @MainActor static func run(_ count: Int, _ image: String) throws {
    _ = try ServiceManager.shared.createService(for: (any Parcel).self)
    let allocations = dlsym(nil, "benchmark_allocations")
      .map { unsafeBitCast($0, to: (@convention(c) () -> UInt64).self) }
    // Copy the path once, because Swift copies a string for each call to a C function, and those
    // copies mustn't be counted.
    guard let path = strdup(image) else { throw FirstUse.Wrong(description: "there is no memory for a path") }
    defer { free(path) }
    var times: [UInt64] = []
    var counted: UInt64 = 0
    // Ignore the first rounds, which initialize what later rounds reuse.
    for round in -3..<count {
      let before = allocations?() ?? 0
      let start = now()
      let handle = dlopen(path, RTLD_NOW | RTLD_LOCAL)
      let end = now()
      let after = allocations?() ?? 0
      guard let handle, dlsym(handle, "benchmark_nothing") != nil else {
        throw FirstUse.Wrong(description: String(cString: dlerror()))
      }
      if round >= 0 {
        counted += after - before
        times.append(end - start)
      }
      dlclose(handle)
    }
    print(allocations == nil ? times.map(String.init).joined(separator: " ") : "\(counted)")
  }
}
