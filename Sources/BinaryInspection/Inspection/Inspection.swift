/// The registrations of binaries, read from their files.
///
/// ```swift
/// let inspection = Inspection(of: ["build/Shop.app"])
/// for error in inspection.errors + inspection.check() { print(error) }
/// ```
///
/// Only the records are kept, and one file is read at a time. No code of the files runs.
package struct Inspection: Sendable {
  /// The images in the order of the paths, then of slices, members, and files of a folder.
  package private(set) var images: [InspectedImage] = []
  /// The errors of files and parts of files that cannot be read.
  package private(set) var errors: [InspectionError] = []
  /// Notes on parts that were skipped or could not be compared.
  package private(set) var remarks: [InspectionProblem] = []

  /// The types that the files declare; nil if they were not read.
  private(set) var classes: ClassInventory?

  /// Reads binaries.
  ///
  /// - Parameters:
  ///   - paths: The paths of executables, libraries, objects, universal files, archives, and
  ///     folders of apps and frameworks.
  ///   - architecture: The architecture to read, such as `"arm64"`; nil for all. A file without it
  ///     is an error.
  ///   - readsClasses: A Boolean value that indicates whether the names of the classes in the files
  ///     are read as well, for ``check(expecting:librariesAreSeparate:registered:)``.
  package init(of paths: [String], architecture: String? = nil, readsClasses: Bool = true) {
    let finder = BinaryFinder(architecture: architecture)
    self.init(of: paths, readsClasses: readsClasses) { finder.find($0, $1) }
  }

  /// Reads the binaries that a search finds.
  ///
  /// - Parameters:
  ///   - paths: The paths to search.
  ///   - readsClasses: A Boolean value that indicates whether the names of the classes in the files
  ///     are read as well.
  ///   - find: A function that searches a path and reports its findings.
  init(
    of paths: [String], readsClasses: Bool,
    find: (_ path: String, _ report: (BinaryFinder.Finding) -> Void) -> Void
  ) {
    var classes = ClassInventory()
    var seen: Set<BinaryIdentity> = []
    for path in paths {
      find(path) { finding in
        switch finding {
        case .remark(let remark): remarks.append(remark)
        case .failed(let error): errors.append(error)
        case .found(let binary):
          // The paths can overlap, for example an app and a framework inside it. Read each binary
          // once.
          guard seen.insert(BinaryIdentity(binary)).inserted else { return }
          do throws(InspectionError) {
            images.append(try InspectedImage(binary))
            if readsClasses { try classes.add(binary.object) }
          } catch {
            errors.append(error)
          }
        }
      }
    }
    self.classes = readsClasses ? classes : nil
    if readsClasses { remarks += classes.remarks }
  }

  /// Creates an inspection of images that were already read.
  init(images: [InspectedImage]) {
    self.images = images
  }

  /// The identity of a binary, which all paths to it share.
  private struct BinaryIdentity: Hashable {
    let file: [String]
    /// The name of the archive member; nil outside of archives.
    let member: String?
    let start: UInt64

    init(_ found: FoundBinary) {
      file = found.object.view.file.identity
      member = found.member
      start = found.object.view.start
    }
  }

  /// The images of each architecture and platform, which can be loaded into one process.
  var families: [[InspectedImage]] {
    var order: [Family] = []
    var families: [Family: [InspectedImage]] = [:]
    for image in images {
      if families[image.family] == nil { order.append(image.family) }
      families[image.family, default: []].append(image)
    }
    return order.compactMap { families[$0] }
  }
}

/// The format, the architecture, and the platform that images of one process share.
struct Family: Hashable {
  let format: ImageHeader.Format
  let architecture: String
  let platform: UInt32?

  init(_ header: ImageHeader) {
    format = header.format
    architecture = header.architecture
    platform = header.platform
  }
}

extension InspectedImage {
  var family: Family { Family(header) }

  /// Reads the records of a binary.
  init(_ found: FoundBinary) throws(InspectionError) {
    let view = found.object.view
    let reader = try RecordReader(found.object)
    self.init(
      path: found.path, member: found.member, name: view.name, start: view.start, header: found.object.header,
      records: reader.records, problems: reader.problems, hasLibrary: reader.hasLibrary,
      linkage: found.object.linkage)
  }
}
