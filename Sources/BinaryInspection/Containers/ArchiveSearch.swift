import Foundation

/// Finds the binaries among the members of an archive.
struct ArchiveSearch {
  let files: BinaryFinder
  let path: String
  let view: BinaryView

  /// How many of the members that were passed over a remark names.
  private static let namedMembers = 5
  /// How many that cannot be read, or are passed over for a reason of their own, are told each by itself. An archive of nothing else
  /// would become a list longer than it.
  private static let toldMembers = 100

  func search(only architecture: String?, _ tellAll: (BinaryFinder.Finding) -> Void) {
    var (failures, remarks) = (0, 0)
    func tell(_ finding: BinaryFinder.Finding) {
      switch finding {
      case .found: break
      case .failed:
        failures += 1
        guard failures <= Self.toldMembers else { return }
      case .remark:
        remarks += 1
        guard remarks <= Self.toldMembers else { return }
      }
      tellAll(finding)
    }
    var others: Set<String> = []
    var isMatched = false
    var passedOver: [String] = []
    var passedOverCount = 0
    func pass(_ name: String) {
      passedOverCount += 1
      if passedOver.count < Self.namedMembers { passedOver.append(name) }
    }

    files.attempt(tell) { () throws(InspectionError) in
      var archive = try Archive(view)
      while let member = try archive.nextMember() {
        files.attempt(tell) { () throws(InspectionError) in
          if let object = try BinaryFormat.object(member.content) {
            guard architecture == nil || files.matches(object.header.architecture) else {
              others.insert(object.header.architecture)
              return
            }
            isMatched = true
            files.tell(FoundBinary(path: path, member: member.name, object: object), tell)
          } else if try BinaryFormat.isBitcode(member.content) {
            tell(
              .remark(
                InspectionRemark(file: member.content.name, message: "is LLVM bitcode: it \(BinaryFinder.linkTime)")))
          } else {
            pass(member.name)
          }
        }
      }
    }
    if failures > Self.toldMembers {
      tellAll(
        .failed(
          InspectionError(file: view.name, message: "\(failures - Self.toldMembers) more of its members cannot be read")
        ))
    }
    if remarks > Self.toldMembers {
      remark("there are such notes on \(remarks - Self.toldMembers) more of its members", tellAll)
    }
    if !isMatched, !others.isEmpty { tellAll(.failed(files.missing(view.name, others.sorted()))) }
    guard passedOverCount > 0 else { return }
    let more = passedOverCount > passedOver.count ? " and \(passedOverCount - passedOver.count) more" : ""
    remark(
      "these members are no binaries and were passed over: \(passedOver.joined(separator: ", "))\(more)", tellAll)
  }

  private func remark(_ message: String, _ tell: (BinaryFinder.Finding) -> Void) {
    tell(.remark(InspectionRemark(file: view.name, message: message)))
  }
}
