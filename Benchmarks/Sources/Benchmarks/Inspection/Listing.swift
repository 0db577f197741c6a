import BinaryInspection
import Foundation
import Measuring

// What binaries register is listed; beside it, the same files are read from beginning to end. Both many times, so that the system
// has the files in memory.

@MainActor let inspectionBenchmarks = [
  Benchmark("inspect.list") { name, effort in
    let files = try Listing.files(of: effort.isQuick ? 20 << 20 : 200 << 20)
    let size = files.reduce(0) { $0 + $1.size }
    return try effort.compare(
      name, goal: .ratio(2), checksum: { $0 * size }, ours: { try Listing.list($0, files) },
      baseline: { try Listing.read($0, files) })
  }
]

enum Listing {
  struct File {
    let path: String
    let size: Int
  }

  /// Libraries and programs of the toolchain, so many bytes of them at least: the smallest first, so that they are many.
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

  /// Returns the size of what was listed.
  @inline(never) static func list(_ count: Int, _ files: [File]) throws -> Int {
    var sum = 0
    for _ in 0..<count {
      let inspection = Inspection(of: files.map(\.path), readsClasses: false)
      if let error = inspection.errors.first { throw error }
      let listed = Set(inspection.images.map(\.path))
      for file in files where listed.contains(file.path) { sum += file.size }
    }
    return sum
  }

  /// Returns the size of what was read.
  @inline(never) static func read(_ count: Int, _ files: [File]) throws -> Int {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 17, alignment: 16)
    defer { buffer.deallocate() }
    var sum = 0
    for _ in 0..<count {
      for file in files {
        let descriptor = open(file.path, O_RDONLY)
        defer { close(descriptor) }
        while true {
          // As much at once as `cat` reads.
          let done = Foundation.read(descriptor, buffer.baseAddress, buffer.count)
          guard done >= 0 else { throw CocoaError(.fileReadUnknown) }
          if done == 0 { break }
          sum += done
        }
      }
    }
    return sum
  }
}
