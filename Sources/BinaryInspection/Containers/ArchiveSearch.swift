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

  func search(only architecture: String?, _ report: (BinaryFinder.Finding) -> Void) {
    var failures: [InspectionError] = []
    var remarks: [InspectionProblem] = []
    var others: Set<String> = []
    var isMatched = false
    var (skipped, skippedCount): ([String], Int) = ([], 0)
    func keep(_ finding: BinaryFinder.Finding) {
      switch finding {
      case .found: report(finding)
      case .failed(let error): failures.append(error)
      case .remark(let remark): remarks.append(remark)
      }
    }
    files.attempt(keep) { () throws(InspectionError) in
      var archive = try Archive(view)
      while let member = try archive.nextMember() {
        files.attempt(keep) { () throws(InspectionError) in
          if let object = try BinaryFormat.object(member.content) {
            guard architecture == nil || files.matches(object.header.architecture) else {
              others.insert(object.header.architecture)
              return
            }
            isMatched = true
            files.report(FoundBinary(path: path, member: member.name, object: object), keep)
          } else if try BinaryFormat.isBitcode(member.content) {
            let message = "is LLVM bitcode; it \(BinaryFinder.linkTime)"
            remarks.append(.note(member.content.name, .unsupportedFile, message))
          } else {
            skippedCount += 1
            if skippedCount <= Self.namedMembers { skipped.append(member.name) }
          }
        }
      }
    }
    let (moreFailures, moreRemarks) = (failures.count - Self.reportedMembers, remarks.count - Self.reportedMembers)
    if moreFailures > 0 {
      let message = "\(moreFailures.counted("more member")) that cannot be read"
      failures.replaceSubrange(Self.reportedMembers..., with: [InspectionError(file: view.name, message: message)])
    }
    if moreRemarks > 0 {
      let message = "omitted \(moreRemarks) more \(moreRemarks == 1 ? "note" : "notes") on members"
      remarks.replaceSubrange(Self.reportedMembers..., with: [.note(view.name, .omittedNotes, message)])
    }
    if !isMatched, !others.isEmpty { failures.append(files.missing(view.name, others.sorted())) }
    if skippedCount > 0 {
      let more = skippedCount > skipped.count ? ", and \(skippedCount - skipped.count) more" : ""
      let names = skipped.map { "'\($0)'" }.joined(separator: ", ")
      remarks.append(.note(view.name, .skippedMembers, "skipped members that are not binaries: \(names)\(more)"))
    }
    for failure in failures { report(.failed(failure)) }
    for remark in remarks { report(.remark(remark)) }
  }
}
