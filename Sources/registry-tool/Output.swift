import BinaryInspection
import Foundation
import RegistryAnalysis

/// A writer to buffered standard output and to standard error.
enum Output {
  // Unsynchronized access is safe, because the tool has only one thread.
  nonisolated(unsafe) private static var buffer: [UInt8] = []

  static func write(_ text: String) {
    buffer += text.utf8
    if buffer.count > 1 << 16 { flush() }
  }

  static func print(_ line: String) { write(line.hasSuffix("\n") ? line : line + "\n") }

  /// Writes a line to standard error after flushing the pending standard output.
  ///
  /// A line can begin with a file name that a snapshot or a branch controls. The function adds a
  /// prefix to a line that GitHub Actions would run as a command.
  static func error(_ line: String) {
    flush()
    let start = line.drop(while: \.isWhitespace)
    let isCommand = start.hasPrefix("::") || start.hasPrefix("##[")
    put(Array(((isCommand ? "./" : "") + line + "\n").utf8), to: .standardError)
  }

  /// Writes problems to standard error. Problems with registrations are warnings, because the
  /// command still succeeds.
  static func report(_ problems: [InspectionProblem]) -> ExitStatus {
    for problem in problems { error(problem.inSnapshot(as: problem.severity == .problem ? "warning" : nil).line) }
    return problems.contains { $0.severity == .unreadable } ? .unreadable : .fine
  }

  /// Writes to a file, or to standard output if the path is nil.
  static func write(_ data: Data, to path: String?) throws(InspectionProblem) {
    guard let path else {
      flush()
      return put(Array(data), to: .standardOutput)
    }
    // Write into the existing file, which can be a device or a symbolic link, instead of replacing
    // it.
    guard (try? data.write(to: URL(fileURLWithPath: path))) != nil else {
      throw InspectionProblem(
        file: path, code: .unreadableFile,
        text: "cannot be written; pass a path in a folder that exists and is writable")
    }
  }

  static func flush() {
    put(buffer, to: .standardOutput)
    buffer.removeAll(keepingCapacity: true)
  }

  private static func put(_ bytes: [UInt8], to stream: FileHandle) {
    do {
      try stream.write(contentsOf: bytes)
    } catch {
      // The reader closed the stream, or the disk is full, so the output is incomplete.
      exit(ExitStatus.unreadable.rawValue)
    }
  }
}
