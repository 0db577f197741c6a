import Foundation
import Registry
package import RegistryAnalysis

extension RegistrySnapshot {
  /// Reads a snapshot, which some commands accept instead of binaries.
  ///
  /// - Returns: The snapshot, or nil if the file doesn't begin with a brace or can't be opened.
  package static func read(at path: String) throws(InspectionProblem) -> RegistrySnapshot? {
    // Leave folders and unreadable files to the reader of binaries, which reports their errors.
    guard let file = try? FileBytes(path: path) else { return nil }
    let view = BinaryView(file)
    let start = try view.bytes(0, min(view.size, 64), "the beginning")
    guard start.first(where: { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }) == UInt8(ascii: "{") else { return nil }
    let bytes = try view.bytes(0, view.size, "the snapshot")
    do {
      return try RegistrySnapshot(json: Data(bytes))
    } catch {
      throw InspectionProblem(
        file: path, code: .malformedSnapshot,
        text: "is not a snapshot of registrations: \(error); pass rules with '--rules' and a list with '--expect'")
    }
  }

  /// Returns the problems as `check` prints them. `path` is the file for problems without an image.
  package func problems(at path: String) -> [InspectionProblem] {
    problems.map { problem in
      InspectionProblem(
        file: problem.image ?? path, severity: problem.severity == "error" ? .problem : .note,
        code: Diagnostic.Code(stringLiteral: problem.code), subject: problem.subject, location: problem.location,
        text: problem.message
      )
    }
  }
}
