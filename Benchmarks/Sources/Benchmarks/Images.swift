import Foundation
import Measuring

/// Files that are made for a run: images, and small programs of C.
enum Images {
  /// Where what is made once for every run is kept: beside the program, with which it goes.
  static let kept = Program.own.deletingLastPathComponent().appendingPathComponent("BenchmarkImages")
  /// The C files beside the sources.
  private static let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Images")

  /// One of the C files.
  static func source(_ name: String) -> String { sources.appendingPathComponent(name).path }

  /// Compiles C and assembler to one file.
  static func compile(_ inputs: [String], to file: URL, flags: [String]) throws {
    try Program.run("clang", ["-O2", "-fPIC"] + flags + inputs + ["-o", file.path])
  }

  /// A file in a folder, made if it is not there or is older than this program.
  ///
  /// - Parameter make: Is given the place for it, and a folder for what is needed on the way.
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
    // Whole or not at all: another run may be making the same.
    guard rename(new.path, file.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
    return file.path
  }

  private static func modified(_ file: URL) throws -> Date {
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    return attributes[.modificationDate] as? Date ?? .distantPast
  }
}
