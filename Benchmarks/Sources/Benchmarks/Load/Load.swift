import Elsewhere
import Foundation
import Measuring
import Registry

// An image without records is opened again and again: in a process that has the library and has used it, and in one that has
// all the same libraries but not this one.

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
  // What is allocated in the course of an opening: the loader's own and, if anything, ours.
  Benchmark("load.none.allocations") { name, effort in
    _ = try Images.file("counter.so") { file, _ in
      try Images.compile([Images.source("counter.c")], to: file, flags: ["-shared"])
    }
    let count = 10
    // Relative to the folder, whose own path may have spaces in it: the loader takes them for the end of a name.
    let (ours, baseline) = try Load.both(count, environment: ["LD_PRELOAD": "./counter.so"])
    // The loader cannot do without any: a counter that counts none is broken.
    guard ours.count == 1, baseline.count == 1, baseline[0] > 0 else {
      throw FirstUse.Wrong(description: "\(name): \(ours) and \(baseline) allocations are counted")
    }
    return Comparison(
      name, ours: [ours[0] / Double(count)], baseline: [baseline[0] / Double(count)], unit: "", goal: .ratio(1))
  },
]

enum Load {
  /// Runs both processes and returns the numbers they print.
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

  /// The libraries that this process has, in the order of their addresses.
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

  /// The child with the library; prints what `loader.c` prints.
  @MainActor static func run(_ count: Int, _ image: String) throws {
    _ = try ServiceManager.shared.createService(for: (any Parcel).self)
    let allocations = dlsym(nil, "benchmark_allocations")
      .map { unsafeBitCast($0, to: (@convention(c) () -> UInt64).self) }
    // A string is copied for every call of C that it is handed to: not what is counted.
    guard let path = strdup(image) else { throw FirstUse.Wrong(description: "there is no memory for a path") }
    defer { free(path) }
    var times: [UInt64] = []
    var counted: UInt64 = 0
    // The first ones make what later ones find made.
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
