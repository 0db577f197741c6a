import Foundation
import TestSupport
import Testing

@testable import BinaryInspection

/// The results of a search by file and member, with paths relative to a folder.
struct SearchResult {
  var found: [String] = []
  var architectures: [String] = []
  var errors: [InspectionProblem] = []
  var notes: [InspectionProblem] = []

  init(_ path: String, in folder: String, architecture: String? = nil) {
    func short(_ path: String) -> String {
      path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.count + 1)) : path
    }
    BinaryFinder(architecture: architecture).find(path) { finding in
      switch finding {
      case .found(let object, let path, let member):
        found.append(short(path) + (member.map { "(\($0))" } ?? ""))
        architectures.append(object.header.architecture)
      case .problem(let problem, let file):
        #expect(file == path || file.hasPrefix(path))
        let short = InspectionProblem(
          file: short(problem.file), offset: problem.offset, severity: problem.severity, code: problem.code,
          text: problem.text)
        if problem.severity == .note { notes.append(short) } else { errors.append(short) }
      }
    }
  }
}
