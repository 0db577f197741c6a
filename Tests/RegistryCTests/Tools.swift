import Foundation
import TestSupport

/// A compiler that tests run like a user does.
struct Compiler: Sendable, CustomStringConvertible {
  let path: String
  var description: String { URL(fileURLWithPath: path).lastPathComponent }

  /// The clang next to the command swift, or the one that a shell would find.
  static let clang = Compiler(named: "clang")
  static let gcc = Compiler(named: "gcc")
  static let all = [clang, gcc].compactMap { $0 }

  init?(named name: String) {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin").split(separator: ":")
    guard
      let folder = folders.first(where: { FileManager.default.isExecutableFile(atPath: "\($0)/\(name)") })
    else { return nil }
    path = "\(folder)/\(name)"
  }

  /// Runs the compiler and returns its status and the text of both output streams.
  func run(_ arguments: [String], input: String = "", in folder: String? = nil) throws -> Command {
    try Command.run(path, arguments, input: input, in: folder)
  }
}

/// The path of this package's C sources.
let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  .appendingPathComponent("../../Sources/RegistryC").standardizedFileURL.path
let include = sources + "/include"

/// The paths of the C files in `sources` and its folders.
func sourceFiles() throws -> [String] {
  let all = try FileManager.default.subpathsOfDirectory(atPath: sources)
  return all.filter { $0.hasSuffix(".c") }.sorted().map { "\(sources)/\($0)" }
}

/// A temporary folder that is removed with the instance.
final class Scratch: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "registry-c-tests-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

extension Command {
  /// The output with plain quotes. In C, gcc escapes those in the text of an assertion.
  var unescapedOutput: String { output.replacingOccurrences(of: "\\'", with: "'") }
}
