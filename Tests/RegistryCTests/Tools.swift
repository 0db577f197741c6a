import Foundation
import TestSupport

/// A compiler, run as a user would run it.
struct Compiler: Sendable, CustomStringConvertible {
  let path: String
  var description: String { URL(fileURLWithPath: path).lastPathComponent }

  /// The one beside `swift`, or wherever the shell would find it.
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

  /// Runs it; both output streams come back as one text.
  func run(_ arguments: [String], input: String = "", in folder: String? = nil) throws -> Command {
    try Command.run(path, arguments, input: input, in: folder)
  }
}

/// Where this package's C sources are.
let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  .appendingPathComponent("../../Sources/RegistryC").standardizedFileURL.path
let include = sources + "/include"

/// A folder for one test, removed with it.
final class Scratch: Sendable {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "registry-c-tests-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
