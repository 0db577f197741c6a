import Foundation

/// Finds the binaries among the members of an archive.
struct ArchiveSearch {
  let files: BinaryFinder
  let path: String
  let view: BinaryView

  /// How many of the members that were passed over a remark names.
  private static let namedMembers = 5

  func search(only architecture: String?, _ tell: (BinaryFinder.Finding) -> Void) {
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
          if case .file(let path, let header) = member.content,
            !seen.insert("\(path):\(header ?? 0)").inserted
          {
            return
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
    if !isMatched, !others.isEmpty { tell(.failed(files.missing(view.name, others.sorted()))) }
    guard passedOverCount > 0 else { return }
    let more = passedOverCount > passedOver.count ? " and \(passedOverCount - passedOver.count) more" : ""
    tell(
      .remark(
        InspectionRemark(
          file: view.name,
          message: "these members are no binaries and were passed over: \(passedOver.joined(separator: ", "))\(more)")))
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
      let all = try BinaryView(bytes).part(0, bytes.size, name: "\(view.name)(\(file))", what: "the member")
      guard let header else { return (file, all) }
      guard try Archive.isArchive(all) else { throw all.error(0, "is no archive, and the thin archive says it is one") }
      guard let inner = try Archive(all).member(at: header), case .part(let part) = inner.content else {
        throw all.error(min(header, all.size), "has no member there, and the thin archive says it has one")
      }
      return ("\(file)(\(inner.name))", part)
    }
  }
}
