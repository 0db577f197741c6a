import Foundation
import Measuring

// Compares `registry-tool list` with `cat` of the same files. Both are processes, so the processor
// time of child processes is measured. After the first run, the system has cached the files.

@MainActor let inspectionBenchmarks = [
  Benchmark("inspect.list") { name, effort in
    let files = try Listing.files(of: effort.isQuick ? 20 << 20 : 200 << 20)
    let size = files.reduce(0) { $0 + $1.size }
    let tool = try Listing.tool()
    return try effort.compareTimed(
      name, goal: .ratio(2), checksum: { $0 * size },
      ours: { count in try Listing.timed { try Listing.list(count, files, tool) } },
      baseline: { count in try Listing.timed { try Listing.read(count, files) } })
  }
]

enum Listing {
  struct File {
    let path: String
    let size: Int
  }

  /// Returns libraries and programs of the toolchain with at least a given total size.
  ///
  /// The function prefers small files, so that there are many.
  static func files(of size: Int) throws -> [File] {
    let compiler = try Program.run("sh", ["-c", "readlink -f \"$(command -v swiftc)\""])
      .trimmingCharacters(in: .whitespacesAndNewlines)
    let root = URL(fileURLWithPath: compiler).deletingLastPathComponent().deletingLastPathComponent()
    var found: [File] = []
    for folder in ["lib", "bin"] {
      let keys: [URLResourceKey] = [.isRegularFileKey, .fileSizeKey]
      let contents = FileManager.default.enumerator(
        at: root.appendingPathComponent(folder), includingPropertiesForKeys: keys)
      while let file = contents?.nextObject() as? URL {
        let values = try file.resourceValues(forKeys: Set(keys))
        guard values.isRegularFile == true, let size = values.fileSize, isELF(file) else { continue }
        found.append(File(path: file.path, size: size))
      }
    }
    found.sort { ($0.size, $0.path) < ($1.size, $1.path) }
    var (taken, sum) = ([File](), 0)
    for file in found where sum < size {
      taken.append(file)
      sum += file.size
    }
    guard sum >= size else {
      throw FirstUse.Wrong(description: "the toolchain in \(root.path) has \(sum) bytes of binaries only")
    }
    return taken
  }

  private static func isELF(_ file: URL) -> Bool {
    guard let handle = try? FileHandle(forReadingFrom: file) else { return false }
    defer { try? handle.close() }
    return (try? handle.read(upToCount: 4)) == Data([0x7f, 0x45, 0x4c, 0x46])
  }

  /// Builds the command-line tool and returns its path.
  ///
  /// The build has its own folder next to this program, so that it doesn't depend on the flags of
  /// other builds of the package.
  static func tool() throws -> String {
    let package = URL(fileURLWithPath: #filePath).pathComponents.dropLast(5).joined(separator: "/").dropFirst()
    let scratch = Images.kept.appendingPathComponent("registry-tool").path
    let build = ["build", "-c", "release", "--package-path", String(package), "--scratch-path", scratch]
    try Program.run("swift", build + ["--product", "registry-tool"])
    let folder = try Program.run("swift", build + ["--show-bin-path"])
    return folder.trimmingCharacters(in: .whitespacesAndNewlines) + "/registry-tool"
  }

  /// Measures the processor time of the child processes that a function runs.
  static func timed(_ body: () throws -> Int) rethrows -> (sum: Int, time: UInt64) {
    let start = childTime()
    let sum = try body()
    return (sum, childTime() - start)
  }

  /// Returns the processor time of all child processes that have ended, in nanoseconds.
  private static func childTime() -> UInt64 {
    var usage = rusage()
    #if canImport(Glibc)
    getrusage(RUSAGE_CHILDREN.rawValue, &usage)
    #else
    getrusage(RUSAGE_CHILDREN, &usage)
    #endif
    return [usage.ru_utime, usage.ru_stime].reduce(0) { sum, time in
      sum + UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_usec) * 1_000
    }
  }

  /// Lists the files and returns the total size of the files in the list.
  static func list(_ count: Int, _ files: [File], _ tool: String) throws -> Int {
    var sum = 0
    for _ in 0..<count {
      let output = try Program.run(tool, ["list", "--format", "json"] + files.map(\.path))
      let list = try JSONDecoder().decode(List.self, from: Data(output.utf8))
      let listed = Set(list.images.map(\.path))
      for file in files where listed.contains(file.path) { sum += file.size }
    }
    return sum
  }

  /// Reads the files and returns their total size.
  static func read(_ count: Int, _ files: [File]) throws -> Int {
    var sum = 0
    for _ in 0..<count {
      try Program.run("sh", ["-c", "cat \"$@\" >/dev/null", "cat"] + files.map(\.path))
      sum += files.reduce(0) { $0 + $1.size }
    }
    return sum
  }

  /// The part of a list of records that contains the files' names.
  private struct List: Decodable {
    struct Image: Decodable {
      let path: String
    }

    let images: [Image]
  }
}
