import BinaryInspection
import Foundation
import Registry
import RegistryAnalysis

/// A reader of the files that commands accept, such as binaries and snapshots.
@MainActor enum Input {
  /// Returns the command's only file if it's a snapshot, or nil if the files are binaries.
  static func snapshot(in arguments: Arguments, isAccepted: Bool = true) throws -> RegistrySnapshot? {
    for file in arguments.files {
      // Among other files, JSON of another kind is a file without records.
      let read = arguments.files.count == 1 ? try RegistrySnapshot.read(at: file) : try? RegistrySnapshot.read(at: file)
      guard let snapshot = read else { continue }
      guard isAccepted else {
        throw UsageError(
          message: "'\(file.escapedForDisplay())' is a snapshot, which has no records; pass the binaries, or see"
            + " 'registry-tool report --help'")
      }
      guard arguments.files.count == 1 else {
        throw UsageError(message: "'\(file.escapedForDisplay())' is a snapshot, which must be the only file")
      }
      if let option = ["--expect", "--built-from", "--registered", "--separate", "--arch"].first(where: arguments.has) {
        throw UsageError(message: "'\(option)' needs binaries, because a snapshot has no records")
      }
      return snapshot
    }
    return nil
  }

  /// Returns the given snapshot or, if it's nil, inspects the binaries and reports their problems.
  static func registrations(
    _ snapshot: RegistrySnapshot?, _ files: [String], _ arguments: Arguments
  ) -> (RegistrySnapshot, ExitStatus) {
    if let snapshot { return (snapshot, .fine) }
    let inspection = Inspection(of: files, architecture: arguments["--arch"])
    let read = inspection.snapshot(
      librariesAreSeparate: arguments.has("--separate"), registered: arguments.all("--registered"))
    return (read, Output.report(inspection.problems))
  }

  static func bytes(of path: String) throws -> Data { Data(try BinaryView.contents(of: path)) }
}
