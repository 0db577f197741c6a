import Foundation
import Registry

/// A search for the binaries among the members of an archive.
struct ArchiveSearch {
  let files: BinaryFinder
  let path: String
  let view: BinaryView

  /// The number of skipped members that a remark names.
  private static let namedMembers = 5
  /// The number of errors, and of remarks, that are reported separately.
  ///
  /// Otherwise, an archive that contains only damaged members would become a list longer than the
  /// archive.
  private static let reportedMembers = 100

  func search(only architecture: String?, _ reportAll: (BinaryFinder.Finding) -> Void) {
    var (failures, remarks) = (0, 0)
    func report(_ finding: BinaryFinder.Finding) {
      switch finding {
      case .found: break
      case .failed:
        failures += 1
        guard failures <= Self.reportedMembers else { return }
      case .remark:
        remarks += 1
        guard remarks <= Self.reportedMembers else { return }
      }
      reportAll(finding)
    }
    var others: Set<String> = []
    var isMatched = false
    var passedOver: [String] = []
    var passedOverCount = 0
    func pass(_ name: String) {
      passedOverCount += 1
      if passedOver.count < Self.namedMembers { passedOver.append(name) }
    }

    files.attempt(report) { () throws(InspectionError) in
      var archive = try Archive(view)
      while let member = try archive.nextMember() {
        files.attempt(report) { () throws(InspectionError) in
          if let object = try BinaryFormat.object(member.content) {
            guard architecture == nil || files.matches(object.header.architecture) else {
              others.insert(object.header.architecture)
              return
            }
            isMatched = true
            files.report(FoundBinary(path: path, member: member.name, object: object), report)
          } else if try BinaryFormat.isBitcode(member.content) {
            let message = "is LLVM bitcode; it \(BinaryFinder.linkTime)"
            report(.remark(.note(member.content.name, .unsupportedFile, message)))
          } else {
            pass(member.name)
          }
        }
      }
    }
    if failures > Self.reportedMembers {
      reportAll(
        .failed(
          InspectionError(
            file: view.name, message: "\((failures - Self.reportedMembers).counted("more member")) that cannot be read")
        ))
    }
    if remarks > Self.reportedMembers {
      let count = remarks - Self.reportedMembers
      let message = "omitted \(count) more \(count == 1 ? "note" : "notes") on members"
      reportAll(.remark(.note(view.name, .omittedNotes, message)))
    }
    if !isMatched, !others.isEmpty { reportAll(.failed(files.missing(view.name, others.sorted()))) }
    guard passedOverCount > 0 else { return }
    let more = passedOverCount > passedOver.count ? ", and \(passedOverCount - passedOver.count) more" : ""
    let names = passedOver.map { "'\($0)'" }.joined(separator: ", ")
    reportAll(
      .remark(.note(view.name, .skippedMembers, "skipped members that are not binaries: \(names)\(more)")))
  }
}
