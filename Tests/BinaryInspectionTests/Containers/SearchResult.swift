import Foundation
import TestSupport
import Testing

@testable import BinaryInspection

/// The results of a search by file and member, with paths relative to a folder.
struct SearchResult {
  var found: [String] = []
  var architectures: [String] = []
  var errors: [InspectionError] = []
  var remarks: [InspectionProblem] = []

  init(_ path: String, in folder: String, architecture: String? = nil) {
    func short(_ path: String) -> String {
      path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.count + 1)) : path
    }
    BinaryFinder(architecture: architecture).find(path) { finding in
      switch finding {
      case .found(let binary):
        found.append(short(binary.path) + (binary.member.map { "(\($0))" } ?? ""))
        architectures.append(binary.object.header.architecture)
      case .failed(let error):
        errors.append(
          InspectionError(file: short(error.file), offset: error.offset, code: error.code, message: error.message))
      case .remark(let note): remarks.append(.note(short(note.file), note.code, note.message))
      }
    }
  }
}
