/// The images of one architecture, with the libraries that each one links.
///
/// A process has one executable, the libraries that it links, and those that no image links,
/// because code can open these at run time. Objects and members of archives are not included.
struct LinkedImages {
  let images: [InspectedImage]
  /// The indices of the images that each image links.
  private let linked: [Set<Int>]
  /// The images that another image links.
  private let linkedByOthers: Set<Int>

  /// Creates the links of the images of one architecture.
  init(_ family: [InspectedImage]) {
    images = family.filter { !$0.isObject && $0.member == nil }
    var libraries: [String: [Int]] = [:]
    for (index, image) in images.enumerated() where image.header.type != .executable {
      for name in Set([image.path.lastPathComponent] + (image.linkage.name.map { [$0] } ?? [])) {
        libraries[name, default: []].append(index)
      }
    }
    let folders = images.map { image in image.path.split(separator: "/").dropLast().map(String.init) }
    linked = images.enumerated().map { index, image in
      Set(
        Set(image.linkage.libraries).compactMap { name in
          libraries[name]?.filter { $0 != index }.min {
            Self.distance(from: folders[index], to: folders[$0]) < Self.distance(from: folders[index], to: folders[$1])
          }
        })
    }
    linkedByOthers = linked.reduce(into: []) { $0.formUnion($1) }
  }

  /// Returns the name by which the loader recognizes that an image is already loaded, or nil if it
  /// loads each file with the name.
  func uniqueName(_ index: Int) -> String? {
    images[index].linkage.name ?? (linkedByOthers.contains(index) ? images[index].path.lastPathComponent : nil)
  }

  /// Returns the distance between the folders of an image and of a library that it may link.
  ///
  /// Several bundles can each contain a library of one name. Each loads the nearest, which is its
  /// own or that of a bundle around it.
  private static func distance(from folder: [String], to library: [String]) -> (Int, Int, Int) {
    let shared = zip(folder, library).prefix { $0 == $1 }.count
    let entersBundle = library.dropFirst(shared).contains { name in
      [".app", ".appex", ".xpc"].contains { name.hasSuffix($0) }
    }
    return (entersBundle ? 1 : 0, -shared, library.count)
  }

  /// For each executable, the executable and the images that it links, directly or not.
  var programs: [Set<Int>] {
    images.indices.filter { images[$0].header.type == .executable }.map(reached)
  }

  /// For each library that no image links, the library and the images that it links.
  var opened: [Set<Int>] {
    images.indices.filter { images[$0].header.type != .executable && !linkedByOthers.contains($0) }.map(reached)
  }

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
