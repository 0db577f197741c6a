import Foundation

/// A search for the binaries in a folder.
///
/// The executable of a bundle comes before the other contents. Symbolic links are skipped, so there
/// are no loops.
struct FolderSearch {
  let files: BinaryFinder

  /// The names of the folders that are searched first.
  private static let order = ["MacOS", "Frameworks", "PlugIns"]

  func search(_ folder: String, _ report: (BinaryFinder.Finding) -> Void) {
    var seen: Set<[UInt64]> = []
    let trimmed = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    search(trimmed, &seen, report)
  }

  private func search(_ folder: String, _ seen: inout Set<[UInt64]>, _ report: (BinaryFinder.Finding) -> Void) {
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
          InspectionError(
            file: folder, code: .unreadableFile,
            message: "the folder cannot be read: \(String(cString: strerror(errno)))")))
      return
    }
    for name in names.sorted(by: Self.precedes) {
      let path = folder == "/" ? "/\(name)" : "\(folder)/\(name)"
      var status = stat()
      guard lstat(path, &status) == 0 else {
        // A name that is not valid UTF-8 fails here too, because the string lacks its original
        // bytes.
        report(.failed(.unopened(path)))
        continue
      }
      switch status.st_mode & S_IFMT {
      case S_IFDIR:
        // Skip debug symbols, because they repeat the sections of their binary.
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

  /// Records that a file was found; returns false if it was found before, possibly by another path.
  private static func enter(_ path: String, _ seen: inout Set<[UInt64]>) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return true }
    // All paths to a file have the same device and number.
    return seen.insert([UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino)]).inserted
  }
}
