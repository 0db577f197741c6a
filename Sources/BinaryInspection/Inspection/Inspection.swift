/// The registrations of binaries, read from their files.
///
/// ```swift
/// for problem in Inspection(of: ["build/Shop.app"]).check() { print(problem) }
/// ```
///
/// An inspection reads one file at a time, doesn't keep the files open, and runs no code.
package struct Inspection: Sendable {
  /// The images in the order of the paths and, within each path, of the files, slices, and members.
  package internal(set) var images: [InspectedImage] = []
  /// The problems and notes from reading the files.
  package private(set) var problems: [InspectionProblem] = []
  /// The types that the files declare, by image family; nil if they were not read.
  private(set) var types: [[String]: DeclaredTypes]?

  /// Reads binaries.
  ///
  /// - Parameters:
  ///   - paths: The paths of executables, libraries, objects, universal files, archives, and
  ///     folders, such as apps and frameworks.
  ///   - architecture: The architecture to read, such as `"arm64"`; nil for all. A file without
  ///     this architecture is an error.
  ///   - readsClasses: A Boolean value that indicates whether to read the names of types for
  ///     ``check(expecting:builtFrom:librariesAreSeparate:registered:)``.
  package init(of paths: [String], architecture: String? = nil, readsClasses: Bool = true) {
    self.init(of: paths, readsClasses: readsClasses) { BinaryFinder(architecture: architecture).find($0, $1) }
  }

  init(
    of paths: [String], readsClasses: Bool,
    find: (_ path: String, _ report: (BinaryFinder.Finding) -> Void) -> Void
  ) {
    let found = ProblemList()
    var types: [[String]: DeclaredTypes] = [:]
    var seen: Set<[String?]> = []
    for path in paths {
      var isEmpty = true
      find(path) { finding in
        switch finding {
        case .problem(let problem, let path):
          if problem.severity == .unreadable { isEmpty = false }
          found.add(problem, path: path)
        case .found(let object, let path, let member):
          isEmpty = false
          // Read each binary once, because paths can overlap (for example, an app and its
          // framework).
          let (view, header) = (object.view, object.header)
          guard seen.insert(view.file.identity + [member, "\(view.start)"]).inserted else { return }
          var hasClasses = true
          do throws(InspectionProblem) {
            let reader = try RecordReader(object, found)
            images.append(
              InspectedImage(
                path: path, member: member, name: view.name, start: view.start, header: header,
                records: reader.records, hasLibrary: reader.hasLibrary, linkage: object.linkage))
            if readsClasses {
              hasClasses = false
              hasClasses = try types[header.family, default: DeclaredTypes()].add(object)
            }
          } catch {
            found.add(error, path: path)
          }
          if !hasClasses {
            // One note for all members of an archive is enough.
            found.add(
              .unreadClasses, .note, file: member == nil ? view.name : path, path: path,
              "the classes cannot be read, so classes that no file contains are not reported")
          }
        }
      }
      if isEmpty {
        found.add(
          .nothingSelected, .unreadable, file: path,
          "contains no binaries; pass a file, or a folder or an archive that contains one")
      }
    }
    self.types = readsClasses ? types : nil
    problems = found.all
  }

  /// The images by format, architecture, and platform. A process loads images of only one family.
  var families: [[InspectedImage]] { images.grouped(by: \.header.family) }
}

extension Sequence {
  /// Returns groups of elements with equal keys, in the order of each group's first element.
  /// Elements whose key is nil are left out.
  package func grouped<Key: Hashable>(by key: (Element) -> Key?) -> [[Element]] {
    var indices: [Key: Int] = [:]
    var groups: [[Element]] = []
    for element in self {
      guard let key = key(element) else { continue }
      if let index = indices[key] {
        groups[index].append(element)
      } else {
        indices[key] = groups.count
        groups.append([element])
      }
    }
    return groups
  }
}

extension Sequence where Element: Hashable {
  func unique() -> [Element] {
    var known: Set<Element> = []
    return filter { known.insert($0).inserted }
  }
}
