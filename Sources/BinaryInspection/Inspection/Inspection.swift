/// What binaries register, read from their files.
///
/// ```swift
/// let inspection = Inspection(of: ["build/Shop.app"])
/// for error in inspection.errors + inspection.check() { print(error) }
/// ```
///
/// Kept are the records, and no more of the files than one at a time is read. Nothing of them is run or loaded.
public struct Inspection: Sendable {
  /// In the order of the paths, and there in that of the file: its slices, its members, the files of its folder.
  public private(set) var images: [InspectedImage] = []
  /// Why files or parts of them could not be read. What else there is was read all the same.
  public private(set) var errors: [InspectionError] = []
  /// What could not be compared, one line each: it is no problem, and no proof either.
  public private(set) var notes: [String] = []

  /// The classes that the files have; empty if they were not read.
  let classes: ClassInventory?

  /// Reads binaries.
  ///
  /// - Parameters:
  ///   - paths: Of executables, libraries, objects, universal files, archives, and folders of apps and frameworks.
  ///   - architecture: Of universal files the one slice that is read, `"arm64"`; nil: all of them.
  ///   - readsClasses: Whether the names of the classes in the files are read as well, for ``check(expecting:)``.
  public init(of paths: [String], architecture: String? = nil, readsClasses: Bool = true) {
    let finder = BinaryFinder(architecture: architecture)
    self.init(of: paths, readsClasses: readsClasses) { finder.find($0, found: $1, failed: $2) }
  }

  /// Takes in binaries that somebody finds.
  ///
  /// - Parameters:
  ///   - readsClasses: Whether the names of the classes in the files are read as well.
  ///   - find: Tells the binaries at a path, and what cannot be read there.
  init(
    of paths: [String], readsClasses: Bool,
    find: (_ path: String, _ found: (FoundBinary) -> Void, _ failed: (InspectionError) -> Void) -> Void
  ) {
    var images: [InspectedImage] = []
    var errors: [InspectionError] = []
    var classes = ClassInventory()
    var seen: Set<Place> = []
    for path in paths {
      find(
        path,
        { found in
          // An app and a framework in it are often both named: what stands there once is there once.
          guard seen.insert(Place(found)).inserted else { return }
          do throws(InspectionError) {
            images.append(try InspectedImage(found))
            if readsClasses { try classes.add(found.object) }
          } catch {
            errors.append(error)
          }
        },
        { errors.append($0) })
    }
    self.images = images
    self.errors = errors
    self.classes = readsClasses ? classes : nil
    notes = readsClasses ? classes.notes : []
  }

  /// Where a binary stands.
  private struct Place: Hashable {
    let path: String
    let start: UInt64

    init(_ found: FoundBinary) {
      path = realPath(found.path)
      start = found.object.view.start
    }
  }

  /// The images of each architecture, in the order in which those come first: what may be in one process.
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

/// What images must have in common to be in one process.
struct Family: Hashable {
  let format: ImageHeader.Format
  let architecture: String

  init(_ header: ImageHeader) {
    format = header.format
    architecture = header.architecture
  }
}

extension InspectedImage {
  var family: Family { Family(header) }

  init(_ found: FoundBinary) throws(InspectionError) {
    let reader = try RecordReader(found.object)
    self.init(
      path: found.path, member: found.member, name: found.object.view.name, start: found.object.view.start,
      header: found.object.header, records: reader.records, problems: reader.problems)
  }
}
