import Foundation
import Registry

/// A search for the binaries in a file, including its slices and members, or in a folder.
///
/// The search reports one finding at a time, so that only one binary is open. It searches the items
/// of a folder in order of their names.
package struct BinaryFinder {
  /// The architecture to report; nil for all. A file without this architecture is an error.
  let architecture: String?

  package init(architecture: String? = nil) {
    self.architecture = architecture
  }

  package enum Finding {
    /// A binary. Its file stays open. The path names the file, even if the caller passed
    /// its folder. The member is nil outside archives.
    case found(any ObjectFile, path: String, member: String?)
    /// A problem with the file or folder at a path, or a note about it.
    case problem(InspectionProblem, path: String)
  }

  /// Searches a file or a folder, and reports each finding.
  ///
  /// Errors don't end the search. In a folder, the search skips files that aren't binaries. It also
  /// skips symbolic links, because they could form loops, and dSYM bundles, because they repeat the
  /// sections of their binaries.
  ///
  /// - Parameter isNamed: False for an item of a folder. A file that the caller names must be a
  ///   binary.
  package func find(_ path: String, isNamed: Bool = true, _ report: (Finding) -> Void) {
    var status = stat()
    guard (isNamed ? stat(path, &status) : lstat(path, &status)) == 0 else {
      // A name with invalid UTF-8 also fails here, because the string lost its original bytes.
      return report(.problem(.failed(path), path: path))
    }
    let type = status.st_mode & S_IFMT
    if type == S_IFDIR, isNamed || !path.lowercased().hasSuffix(".dsym") {
      folder(path, report)
    } else if type == S_IFREG || isNamed {
      attempt(path, report) { () throws(InspectionProblem) in
        try search(BinaryView(FileBytes(path: path)), path, isNamed: isNamed, report)
      }
    }
  }

  func folder(_ path: String, _ report: (Finding) -> Void) {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
      return report(.problem(.failed(path, "the folder cannot be read"), path: path))
    }
    for name in names.sorted() { find(path.hasSuffix("/") ? path + name : "\(path)/\(name)", isNamed: false, report) }
  }

  /// Searches the bytes of a file or of a slice.
  ///
  /// - Parameters:
  ///   - isNamed: True if the bytes must be a binary, because they are a slice or a file that the
  ///     caller names.
  ///   - isSlice: True for a slice. A slice is never read as a universal file, because the search
  ///     would never end if a damaged file's slice were the whole file.
  func search(
    _ view: BinaryView, _ path: String, isNamed: Bool, isSlice: Bool = false, _ report: (Finding) -> Void
  ) throws(InspectionProblem) {
    if !isSlice, let slices = try UniversalFile.slices(of: view) {
      let chosen = slices.filter { matches($0.architecture) }
      guard !chosen.isEmpty else { throw missing(path, slices.map(\.architecture)) }
      for slice in chosen {
        attempt(path, report) { () throws(InspectionProblem) in
          try BinaryFinder().search(slice.view, path, isNamed: true, isSlice: true, report)
        }
      }
    } else if var archive = try Archive(view) {
      search(&archive, path, report)
    } else if let object = try view.object() {
      guard matches(object.header.architecture) else { throw missing(path, [object.header.architecture]) }
      self.report(object, path, report)
    } else if isNamed {
      if try view.isBitcode() { throw view.error(nil, "is LLVM bitcode; it \(Self.linkTime)", code: .unsupportedFile) }
      if view.size == 0 { throw view.error(nil, "is empty") }
      throw view.error(
        nil, "is not a binary; expected a Mach-O file, an ELF file, or an archive of them", code: .unsupportedFile)
    }
  }

  private func search(_ archive: inout Archive, _ path: String, _ report: (Finding) -> Void) {
    var others: Set<String> = []
    var isMatched = false
    var skipped: [String] = []
    attempt(path, report) { () throws(InspectionProblem) in
      while let member = try archive.nextMember() {
        attempt(path, report) { () throws(InspectionProblem) in
          if let object = try member.content.object() {
            guard matches(object.header.architecture) else {
              others.insert(object.header.architecture)
              return
            }
            isMatched = true
            self.report(object, path, member: member.name, report)
          } else if try member.content.isBitcode() {
            report(.problem(member.content.note(.unsupportedFile, "is LLVM bitcode; it \(Self.linkTime)"), path: path))
          } else {
            skipped.append(member.name)
          }
        }
      }
    }
    if !isMatched, !others.isEmpty { report(.problem(missing(archive.view.name, others.sorted()), path: path)) }
    if !skipped.isEmpty {
      let text = "skipped members that are not binaries: \(skipped.quotedList("and", limit: 5))"
      report(.problem(archive.view.note(.skippedMembers, text), path: path))
    }
  }

  private func report(
    _ object: any ObjectFile, _ path: String, member: String? = nil, _ report: (Finding) -> Void
  ) {
    if let elf = object as? ELFFile {
      if elf.isLinkTimeCode { report(.problem(elf.view.note(.unsupportedFile, Self.linkTime), path: path)) }
      for section in elf.unreachableRecordSections {
        let text =
          "the section '\(section.name)' at address \(section.address.hex) is in no loaded segment of notes (PT_NOTE), so"
          + " its records are not found at run time"
        report(.problem(elf.view.note(.unloadedSection, text), path: path))
      }
    }
    report(.found(object, path: path, member: member))
  }

  static let linkTime =
    "was compiled for link-time optimization and contains no machine code, so its records cannot be read; link it first"

  private func matches(_ name: String) -> Bool {
    guard let architecture else { return true }
    // Apple's tools call this architecture arm64, and other tools call it aarch64.
    let same: Set<String> = ["arm64", "aarch64"]
    return name == architecture || same.contains(name) && same.contains(architecture)
  }

  private func missing(_ file: String, _ names: [String]) -> InspectionProblem {
    InspectionProblem(
      file: file, code: .architectureNotFound,
      text: "does not contain the architecture '\(architecture ?? "")', but only \(names.quotedList("and", limit: 20))")
  }

  private func attempt(
    _ path: String, _ report: (Finding) -> Void, _ body: () throws(InspectionProblem) -> Void
  ) {
    do throws(InspectionProblem) { try body() } catch { report(.problem(error, path: path)) }
  }
}

extension BinaryView {
  func object() throws(InspectionProblem) -> (any ObjectFile)? {
    if try starts(with: ELF.magic) { return try ELFFile(self) }
    if try MachO.isMachO(self) { return try MachOFile(self) }
    return nil
  }

  fileprivate func isBitcode() throws(InspectionProblem) -> Bool {
    try starts(with: [0x42, 0x43, 0xc0, 0xde], [0xde, 0xc0, 0x17, 0x0b])
  }
}
