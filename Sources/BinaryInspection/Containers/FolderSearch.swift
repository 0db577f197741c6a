import Foundation

/// Finds the binaries in a folder: of bundles first the executable, then what is in them.
///
/// Symbolic links are skipped, so there are no loops.
struct FolderSearch {
  let files: BinaryFinder

  /// In a bundle these are looked into first.
  private static let order = ["MacOS", "Frameworks", "PlugIns"]

  func search(_ folder: String, _ report: (BinaryFinder.Finding) -> Void) {
    var seen: Set<FileIdentity> = []
    let trimmed = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    search(trimmed, &seen, report)
  }

  private func search(_ folder: String, _ seen: inout Set<FileIdentity>, _ report: (BinaryFinder.Finding) -> Void) {
    if BundleInfo.isBundle(folder) {
      do throws(InspectionError) {
        if let executable = try BundleInfo.executable(of: folder), Self.enter(executable, &seen) {
          files.file(executable, isNamed: true, report)
        }
      } catch {
        report(.failed(error))
      }
    }
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      report(
        .failed(
          InspectionError(file: folder, message: "the folder cannot be read: \(String(cString: strerror(errno)))")))
      return
    }
    for name in names.sorted(by: Self.precedes) {
      let path = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
      var status = stat()
      guard lstat(path, &status) == 0 else {
        // Names that are no UTF-8 are among these: they cannot be said again.
        report(.failed(InspectionError(file: path, message: "cannot be opened: \(String(cString: strerror(errno)))")))
        continue
      }
      switch status.st_mode & S_IFMT {
      case S_IFDIR:
        // Debug symbols repeat the binary's sections.
        if (name as NSString).pathExtension.lowercased() != "dsym" { search(path, &seen, report) }
      case S_IFREG:
        if Self.enter(path, &seen) { files.file(path, isNamed: false, report) }
      default: break
      }
    }
  }

  private static func precedes(_ one: String, _ other: String) -> Bool {
    let (first, second) = (order.firstIndex(of: one) ?? order.count, order.firstIndex(of: other) ?? order.count)
    if first != second { return first < second }
    return one.utf8.lexicographicallyPrecedes(other.utf8)
  }

  /// Notes a file; false if it was there before, by another name perhaps.
  private static func enter(_ path: String, _ seen: inout Set<FileIdentity>) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return true }
    return seen.insert(FileIdentity(status)).inserted
  }
}
