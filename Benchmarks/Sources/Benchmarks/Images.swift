import Foundation
import Measuring

/// The files that are created for a run, such as images and small programs in C.
enum Images {
  /// The folder of the files that are created once for all runs.
  ///
  /// The folder is next to the program, so that removing the build folder removes both.
  static let kept = Program.own.deletingLastPathComponent().appendingPathComponent("BenchmarkImages")
  /// The folder of the C files, which is next to the sources' folder.
  private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Images")

  static func source(_ name: String) -> String { sources.appendingPathComponent(name).path }

  static func compile(_ inputs: [String], to file: URL, flags: [String]) throws {
    try Program.run("clang", ["-O2", "-fPIC"] + flags + inputs + ["-o", file.path])
  }

  /// Returns the path of a file, which is created if it's missing or older than this program.
  ///
  /// - Parameter make: A closure that creates the file. It receives the URLs of the file and of a
  ///   folder for temporary files.
  static func file(_ name: String, _ make: (URL, URL) throws -> Void) throws -> String {
    let manager = FileManager.default
    try manager.createDirectory(at: kept, withIntermediateDirectories: true)
    let file = kept.appendingPathComponent(name)
    if let made = try? modified(file), made > (try modified(Program.own)) { return file.path }
    let scratch = kept.appendingPathComponent("scratch-\(UUID().uuidString)")
    try manager.createDirectory(at: scratch, withIntermediateDirectories: true)
    defer { try? manager.removeItem(at: scratch) }
    let new = scratch.appendingPathComponent(name)
    try make(new, scratch)
    // Move the file after it is complete, because another run may be creating the same file.
    guard rename(new.path, file.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    return file.path
  }

  private static func modified(_ file: URL) throws -> Date {
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    return attributes[.modificationDate] as? Date ?? .distantPast
  }
}
