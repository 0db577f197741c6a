import Foundation
import TestSupport
import Testing

@testable import BinaryInspection

/// The results of a search by file and member, with paths relative to a folder.
struct SearchResult {
  var found: [String] = []
  var architectures: [String] = []
  var errors: [InspectionError] = []
  var remarks: [InspectionRemark] = []

  init(_ path: String, in folder: String, architecture: String? = nil) {
    func short(_ path: String) -> String {
      path.hasPrefix(folder + "/") ? String(path.dropFirst(folder.count + 1)) : path
    }
    BinaryFinder(architecture: architecture).find(
      path,
      found: { binary in
        found.append(short(binary.path) + (binary.member.map { "(\($0))" } ?? ""))
        architectures.append(binary.object.header.architecture)
      },
      failed: {
        errors.append(InspectionError(file: short($0.file), offset: $0.offset, code: $0.code, message: $0.message))
      },
      remark: { remarks.append(InspectionRemark(file: short($0.file), code: $0.code, message: $0.message)) })
  }
}
