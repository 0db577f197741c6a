import Foundation

/// A search for the binaries of a file, its slices and members, or a folder.
///
/// The search reports one finding at a time, so that only one binary is open. The order of the
/// findings depends only on names.
package struct BinaryFinder {
  /// The architecture to report; nil for all.
  ///
  /// A file without this architecture is an error.
  let architecture: String?

  package init(architecture: String? = nil) {
    self.architecture = architecture
  }

  /// A result of a search.
  package enum Finding {
    /// A binary, which keeps its file open.
    case found(FoundBinary)
    /// The error of a part that cannot be read.
    case failed(InspectionError)
    /// A note on a part that was skipped.
    case remark(InspectionProblem)
  }

  /// Searches a file or a folder.
  ///
  /// Errors do not end the search. A file must be a binary if the caller names it. Other files in a
  /// folder are skipped.
  ///
  /// - Parameters:
  ///   - path: The path of the file or the folder.
  ///   - report: A function that receives each finding.
  package func find(_ path: String, _ report: (Finding) -> Void) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      report(.failed(.unopened(path)))
      return
    }
    if status.st_mode & S_IFMT == S_IFDIR {
      folder(path, report)
    } else {
      file(path, isNamed: true, report)
    }
  }

  /// Searches a folder.
  ///
  /// Symbolic links are skipped, so there are no loops. Debug symbols are skipped, because they
  /// repeat the sections of their binary.
  func folder(_ folder: String, _ report: (Finding) -> Void) {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else {
      report(.failed(.failed(folder, "the folder cannot be read")))
      return
    }
    for name in names.sorted() {
      let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
      var status = stat()
      guard lstat(path, &status) == 0 else {
        // A name that is not valid UTF-8 fails here too, because the string lacks its original
        // bytes.
        report(.failed(.unopened(path)))
        continue
      }
      switch status.st_mode & S_IFMT {
      case S_IFDIR where !name.lowercased().hasSuffix(".dsym"): self.folder(path, report)
      case S_IFREG: file(path, isNamed: false, report)
      default: break
      }
    }
  }

  /// Searches a file.
  ///
  /// - Parameter isNamed: A Boolean value that indicates whether the file must be a binary, because
  ///   the caller names it.
  func file(_ path: String, isNamed: Bool, _ report: (Finding) -> Void) {
    do throws(InspectionError) {
      let bytes = try FileBytes(path: path)
      attempt(report) { () throws(InspectionError) in
        try search(BinaryView(bytes), path, isNamed: isNamed, report)
      }
    } catch {
      report(.failed(error))
    }
  }

  /// Searches the bytes of a file.
  func search(_ view: BinaryView, _ path: String, isNamed: Bool, _ report: (Finding) -> Void) throws(InspectionError) {
    if let slices = try BinaryFormat.slices(view) {
      try search(slices, path, report)
    } else if try Archive.isArchive(view) {
      ArchiveSearch(files: self, path: path, view: view).search(only: architecture, report)
    } else if let object = try BinaryFormat.object(view) {
      guard matches(object.header.architecture) else { throw missing(path, [object.header.architecture]) }
      self.report(FoundBinary(path: path, member: nil, object: object), report)
    } else if isNamed {
      throw try noBinary(view)
    }
  }

  private func search(
    _ slices: [UniversalFile.Slice], _ path: String, _ report: (Finding) -> Void
  ) throws(InspectionError) {
    let chosen = slices.filter { matches($0.architecture) }
    guard !chosen.isEmpty else { throw missing(path, slices.map(\.architecture)) }
    for slice in chosen {
      attempt(report) { () throws(InspectionError) in
        if try Archive.isArchive(slice.view) {
          ArchiveSearch(files: self, path: path, view: slice.view).search(only: nil, report)
        } else if let object = try BinaryFormat.object(slice.view) {
          self.report(FoundBinary(path: path, member: nil, object: object), report)
        } else {
          throw try noBinary(slice.view)
        }
      }
    }
  }

  /// Reports a binary, preceded by remarks on those of its records that cannot be found.
  func report(_ binary: FoundBinary, _ report: (Finding) -> Void) {
    if let elf = binary.object as? ELFFile {
      if elf.isLinkTimeCode { report(.remark(.note(elf.view.name, .unsupportedFile, Self.linkTime))) }
      var messages = elf.unreachableRecordSections.prefix(Self.reportedSections).map { section in
        "the section '\(section.name)' at address \(section.address.hex) is in no loaded segment of notes (PT_NOTE), so its"
          + " records are not found at run time"
      }
      let unreported = elf.unreachableRecordSections.count - Self.reportedSections
      if unreported > 0 {
        let verb = unreported == 1 ? "section is" : "sections are"
        messages.append("\(unreported) more \(verb) in no loaded segment of notes (PT_NOTE)")
      }
      for message in messages { report(.remark(.note(elf.view.name, .unloadedSection, message))) }
    }
    report(.found(binary))
  }

  /// The number of sections without a note segment that are reported separately.
  private static let reportedSections = 100

  static let linkTime =
    "was compiled for link-time optimization and contains no machine code, so its records cannot be read; link it first"

  func matches(_ name: String) -> Bool {
    guard let architecture else { return true }
    if name == architecture { return true }
    // Apple's tools and other tools have different names for this architecture.
    let same: Set<String> = ["arm64", "aarch64"]
    return same.contains(name) && same.contains(architecture)
  }

  func missing(_ file: String, _ names: [String]) -> InspectionError {
    InspectionError(
      file: file, code: .architectureNotFound,
      message: "does not contain the architecture '\(architecture ?? "")', but only"
        + " \(names.map { "'\($0)'" }.joined(separator: ", "))")
  }

  private func noBinary(_ view: BinaryView) throws(InspectionError) -> InspectionError {
    if try BinaryFormat.isBitcode(view) {
      return InspectionError(file: view.name, code: .unsupportedFile, message: "is LLVM bitcode; it \(Self.linkTime)")
    }
    if view.size == 0 { return InspectionError(file: view.name, message: "is empty") }
    return InspectionError(
      file: view.name, code: .unsupportedFile,
      message: "is not a binary; expected a Mach-O file, an ELF file, or an archive of them")
  }

  /// Reads a part of a file, and reports the error if it cannot be read.
  func attempt(_ report: (Finding) -> Void, _ body: () throws(InspectionError) -> Void) {
    do throws(InspectionError) { try body() } catch { report(.failed(error)) }
  }
}
