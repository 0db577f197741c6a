import Registry

/// A check for images of one process that each contain a copy of this library.
///
/// Objects and members of archives are not compared, because the linker combines their copies into
/// one.
struct CopyCheck {
  /// Two images with a copy of the library each.
  struct Pair {
    let image: InspectedImage
    let other: InspectedImage
    /// A Boolean value that indicates whether the images link each other, or another image links
    /// both.
    ///
    /// If not, only code that opens a library at run time loads both.
    let isLinked: Bool

    private static let consequence =
      "separate managers, so neither finds the modules, services, and instances of the other; make the app, its libraries,"
      + " and its plug-ins depend on the product 'RegistryDynamic'"

    private var otherName: String { "'\(other.name.escapedForDisplay(limit: 1_000))'" }

    var problem: InspectionProblem {
      InspectionProblem(
        file: image.name, code: .twoCopies, subject: "swift-section-registry",
        message: "this image and \(otherName) each contain a copy of the library with \(Self.consequence)")
    }

    var remark: InspectionRemark {
      InspectionRemark(
        file: image.name, code: .twoCopies,
        message: "this image and \(otherName) each contain a copy of the library; if a process loads both, they have"
          + " \(Self.consequence)")
    }
  }

  private let images: [InspectedImage]
  /// The indices of the images that each image links.
  private let linked: [Set<Int>]

  /// Creates a check of the images of one architecture.
  init(_ family: [InspectedImage]) {
    images = family.filter { !$0.isObject && $0.member == nil }
    var libraries: [String: [Int]] = [:]
    for (index, image) in images.enumerated() where image.header.type != .executable {
      for name in Set([image.path.lastPathComponent] + (image.linkage.name.map { [$0] } ?? [])) {
        libraries[name, default: []].append(index)
      }
    }
    linked = images.enumerated().map { index, image in
      Set(image.linkage.libraries.flatMap { libraries[$0] ?? [] }).subtracting([index])
    }
  }

  /// The pairs of images with a copy each, at most one for each image and process.
  ///
  /// A process has one executable, the libraries that it links, and those that no image links,
  /// because code can open these at run time.
  var pairs: [Pair] {
    guard images.count(where: \.hasLibrary) > 1 else { return [] }
    let executables = images.indices.filter { images[$0].header.type == .executable }
    let byImages = linked.reduce(into: Set<Int>()) { $0.formUnion($1) }
    let opened = images.indices.filter { images[$0].header.type != .executable && !byImages.contains($0) }
    let reachedWhenOpened = opened.map(reached)
    let processes =
      executables.isEmpty ? [reachedWhenOpened] : executables.map { [reached(from: $0)] + reachedWhenOpened }
    return processes.flatMap(pairs)
  }

  /// Returns the pairs of one process.
  ///
  /// - Parameter groups: The images that each image links, directly or not, including the image
  ///   itself.
  private func pairs(_ groups: [Set<Int>]) -> [Pair] {
    let copies = groups.reduce(into: Set<Int>()) { $0.formUnion($1) }.filter { images[$0].hasLibrary }
    // The copy of the executable comes first in messages, as at run time.
    let ordered = copies.sorted { (isLibrary($0) ? 1 : 0, $0) < (isLibrary($1) ? 1 : 0, $1) }
    return ordered.enumerated().dropFirst().map { position, index in
      let group = ordered[..<position].first { other in groups.contains { $0.contains(other) && $0.contains(index) } }
      return Pair(image: images[index], other: images[group ?? ordered[0]], isLinked: group != nil)
    }
  }

  private func isLibrary(_ index: Int) -> Bool { images[index].header.type != .executable }

  /// Returns an image and the images that it links, directly or not.
  private func reached(from start: Int) -> Set<Int> {
    var reached: Set<Int> = [start]
    var next = [start]
    while let index = next.popLast() {
      for other in linked[index] where reached.insert(other).inserted { next.append(other) }
    }
    return reached
  }
}

extension Inspection {
  /// Returns notes on images that each contain a copy of this library, and that no image links
  /// together.
  ///
  /// The caller that knows that these images are in separate processes shows them in place of
  /// problems; see ``check(expecting:librariesAreSeparate:)``.
  package func copyRemarks() -> [InspectionRemark] {
    var remarks: [InspectionRemark] = []
    for pair in families.flatMap({ CopyCheck($0).pairs }) where !pair.isLinked && !remarks.contains(pair.remark) {
      remarks.append(pair.remark)
    }
    return remarks
  }
}
