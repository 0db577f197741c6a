import Foundation

/// The functions that run a program until it ends.
public enum Program {
  public struct Failed: Error, CustomStringConvertible {
    let command: [String]
    let status: Int32
    let output: String

    public var description: String {
      "\(command.joined(separator: " ")) ended with status \(status)" + (output.isEmpty ? "" : ":\n" + output)
    }
  }

  /// The file of this program.
  public static let own = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()

  /// Runs a program and returns what it wrote to its standard output.
  ///
  /// - Parameters:
  ///   - environment: The variables to add to the environment of this process.
  ///   - folder: The working directory, or nil for that of this process.
  /// - Throws: ``Failed`` with everything that the program wrote, if its status is not zero.
  @discardableResult
  public static func run(
    _ program: String, _ arguments: [String], environment: [String: String] = [:], folder: URL? = nil
  ) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    if let folder { process.currentDirectoryURL = folder }
    process.standardInput = FileHandle.nullDevice
    // Write errors to a file, because a second pipe could fill while the first is being read.
    let problems = FileManager.default.temporaryDirectory.appendingPathComponent("benchmarks-\(UUID().uuidString)")
    try Data().write(to: problems)
    defer { try? FileManager.default.removeItem(at: problems) }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = try FileHandle(forWritingTo: problems)
    try process.run()
    let output = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    let isRight = process.terminationReason == .exit && process.terminationStatus == 0
    guard isRight else {
      let said = (try? String(contentsOf: problems, encoding: .utf8)) ?? ""
      throw Failed(
        command: [program] + arguments, status: process.terminationStatus, output: said + output)
    }
    return output
  }

  /// Runs this program as a child that performs one task, and returns the numbers that it prints.
  public static func child(
    _ arguments: [String], environment: [String: String] = [:], folder: URL? = nil
  ) throws -> [Double] {
    try numbers(run(own.path, ["--child"] + arguments, environment: environment, folder: folder))
  }

  /// Returns the numbers in a text that separates them with white space.
  public static func numbers(_ text: String) -> [Double] {
    text.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
  }
}
