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
    var seen: Set<String> = []
    func pass(_ name: String) {
      passedOverCount += 1
      if passedOver.count < Self.namedMembers { passedOver.append(name) }
    }

    files.attempt(tell) { () throws(InspectionError) in
      var archive = try Archive(view)
      while let member = try archive.nextMember() {
        files.attempt(tell) { () throws(InspectionError) in
          // A thin archive can name one large file many times.
          if case .file(let path, let header) = member.content {
            let place = "\(path):\(header ?? 0)"
            guard !seen.contains(place) else { return }
            seen.insert(place)
          }
          let (name, part) = try content(member)
          if let object = try BinaryFormat.object(part) {
            guard architecture == nil || files.matches(object.header.architecture) else {
              others.insert(object.header.architecture)
              return
            }
            isMatched = true
            files.tell(FoundBinary(path: path, member: name, object: object), tell)
          } else if try BinaryFormat.isBitcode(part) {
            tell(.remark(InspectionRemark(file: part.name, message: "is LLVM bitcode: it \(BinaryFinder.linkTime)")))
          } else {
            pass(name)
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

  /// The bytes of a member; of a thin archive, the file's.
  private func content(_ member: Archive.Member) throws(InspectionError) -> (name: String, part: BinaryView) {
    switch member.content {
    case .part(let part): return (member.name, part)
    case .file(let file, let header):
      let folder = (view.file.path as NSString).deletingLastPathComponent
      let place = file.hasPrefix("/") || folder.isEmpty ? file : (folder as NSString).appendingPathComponent(file)
      let bytes: FileBytes
      do throws(InspectionError) { bytes = try FileBytes(path: place) } catch {
        throw InspectionError(
          file: "\(view.name)(\(file))", offset: error.offset,
          message: "the thin archive's member \(place) \(error.message)")
      }
      // Counts what of it is read: by other paths it is the same file, and its members may be said to stand in one another.
      func take(_ part: BinaryView) throws(InspectionError) {
        guard view.file.take(part.size, of: bytes) else {
          throw InspectionError(
            file: "\(view.name)(\(file))",
            message: "the thin archive's members in \(place) are together far longer than it, as they share its bytes")
        }
      }
      let all = try BinaryView(bytes).part(0, bytes.size, name: "\(view.name)(\(file))", what: "the member")
      guard let header else {
        try take(all)
        return (file, all)
      }
      guard try Archive.isArchive(all) else { throw all.error(0, "is no archive, and the thin archive says it is one") }
      guard let inner = try Archive(all).member(at: header), case .part(let part) = inner.content else {
        throw all.error(min(header, all.size), "has no member there, and the thin archive says it has one")
      }
      try take(part)
      return ("\(file)(\(inner.name))", part)
    }
  }
}
