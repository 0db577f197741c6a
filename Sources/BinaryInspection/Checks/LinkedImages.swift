import Registry

/// The linked images of one family, with the libraries that each image links.
///
/// A process has one executable, the libraries that it links, and possibly libraries that no image
/// links, because code can open them at run time. Objects and archive members aren't included.
final class LinkedImages {
  let images: [InspectedImage]
  /// All images of the family, with the executables first.
  let family: [InspectedImage]
  /// For each executable, the executable and the images that it links, directly or indirectly.
  private(set) lazy var programs = images.indices.filter { images[$0].header.type == .executable }.map(reached)
  /// For each library that no image links, the library and the images that it links.
  /// If libraries link each other in a cycle that no other image links, one of them counts.
  private(set) lazy var opened = {
    var (opened, known) = ([Set<Int>](), Set(programs.joined()))
    for index in images.indices.filter({ !linkedByOthers.contains($0) }) + images.indices where !known.contains(index) {
      opened.append(reached(from: index))
      known.formUnion(opened.last!)
    }
    return opened
  }()
  private lazy var openable = Set(opened.joined())
  /// The images that each process can load: an executable, if there is one, the libraries that it
  /// links, and all of `opened`. The path distinguishes an added 'RegistryDynamic'.
  private lazy var loadable = (programs.isEmpty ? [[]] : programs).map {
    Set($0.union(openable).map { [images[$0].name, images[$0].path] })
  }
  private let linked: [Set<Int>]
  private let linkedByOthers: Set<Int>

  init(_ family: [InspectedImage]) {
    self.family = family.filter(\.isExecutable) + family.filter { !$0.isExecutable }
    images = Self.withRegistryDynamic(family.filter(\.isLinked))
    var libraries: [String: [Int]] = [:]
    for (index, image) in images.enumerated() where ![.executable, .other].contains(image.header.type) {
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

  /// Returns the images, with the library 'RegistryDynamic' if they link it without including it.
  /// It has the name of an image that links it.
  private static func withRegistryDynamic(_ images: [InspectedImage]) -> [InspectedImage] {
    let names = ["libRegistryDynamic.so", "libRegistryDynamic.dylib", "RegistryDynamic"]
    guard var library = images.first(where: { $0.linkage.libraries.contains(where: names.contains) }),
      let linked = library.linkage.libraries.first(where: names.contains),
      !images.contains(where: { [$0.path.lastPathComponent, $0.linkage.name].contains(linked) })
    else { return images }
    (library.path, library.records, library.linkage) = (linked, [], Linkage(name: linked))
    (library.header.type, library.hasLibrary) = (.library, true)
    return images + [library]
  }

  private func reached(from start: Int) -> Set<Int> {
    var reached: Set<Int> = [start]
    var next = [start]
    while let index = next.popLast() {
      for other in linked[index] where reached.insert(other).inserted { next.append(other) }
    }
    return reached
  }

  /// Returns the distance from an image's folder to the folder of a library that it may link. If
  /// several bundles contain a library with the same name, each image loads the nearest library.
  private static func distance(from folder: [String], to library: [String]) -> (Int, Int, Int) {
    let shared = zip(folder, library).prefix { $0 == $1 }.count
    let entersBundle = library.dropFirst(shared).contains { name in
      [".app", ".appex", ".xpc"].contains { name.hasSuffix($0) }
    }
    return (entersBundle ? 1 : 0, -shared, library.count)
  }

  /// Returns the `programs` that contain the image or, if none do, each program combined with all
  /// `opened` sets that contain the image. If the result is empty, any process can contain it.
  func processes(with image: Int) -> [Set<Int>] {
    let linking = programs.filter { $0.contains(image) }
    if !linking.isEmpty { return linking }
    let group = opened.lazy.filter { $0.contains(image) }.reduce(into: Set<Int>()) { $0.formUnion($1) }
    return group.isEmpty ? [] : programs.map { $0.union(group) }
  }

  /// Returns the given images that each process can contain, and all images that it can contain.
  /// Objects and archive members can be part of any image, and so of each process.
  ///
  /// - Parameter given: The family's images, or those with records of a group. Processes that
  ///   differ only in other images are combined; then any image can be in the process.
  func processes(
    of given: [InspectedImage]
  ) -> some Collection<(images: [InspectedImage], all: () -> [InspectedImage])> {
    func part(_ images: [InspectedImage], of process: Set<[String]>) -> [InspectedImage] {
      images.filter { !$0.isLinked || process.contains([$0.name, $0.path]) }
    }
    let groups = loadable.grouped { process in
      let names = part(given, of: process).map(\.name)
      return names.isEmpty ? nil : names
    }
    return groups.lazy.map { [family] group in
      (part(given, of: group[0]), { group.count == 1 ? part(family, of: group[0]) : family })
    }
  }
}

extension LinkedImages {
  /// Reports images that each contain a copy of swift-section-registry, as notes if they may be in
  /// separate processes.
  func reportCopies(to list: ProblemList, librariesAreSeparate: Bool) {
    func copy(_ image: InspectedImage, in name: String) -> String {
      image.name.hasPrefix(image.path) ? name : "\(image.path.quotedForDisplay()), which \(name) links,"
    }
    for (image, other, isProblem) in copies(librariesAreSeparate: librariesAreSeparate) {
      let otherName = "'\(other.name.escapedForDisplay(limit: 1_000))'"
      list.add(
        .twoCopies, isProblem ? .problem : .note, file: image.name, path: image.path,
        subject: isProblem ? "swift-section-registry" : nil,
        "\(copy(image, in: "this image")) and \(copy(other, in: otherName)) each contain a copy of the library"
          + (isProblem ? " with" : "; if a process loads both, they have")
          + " separate managers, so neither finds the modules, services, and instances of the other; make the app, its"
          + " libraries, and its plug-ins depend on the product 'RegistryDynamic'"
          + ([image.name, other.name].contains { $0.contains(".xctest") }
            ? "; a test target depends on the plugin 'RegistryDynamicTesting' instead of 'RegistryTesting'" : ""))
    }
  }

  /// Returns pairs of images that each contain a copy of swift-section-registry, at most one pair
  /// for each image and process.
  ///
  /// A pair is a problem if one image links the other, or a third image links both. Otherwise, a
  /// process contains both only if code opens a library at run time. That pair is also a problem,
  /// unless `librariesAreSeparate` is true, or some process doesn't load `image` or loads it first.
  ///
  /// Objects and archive members aren't compared, because the linker combines their copies.
  func copies(
    librariesAreSeparate: Bool
  ) -> [(image: InspectedImage, other: InspectedImage, isProblem: Bool)] {
    guard images.count(where: \.hasLibrary) > 1 else { return [] }
    let processes = (programs.isEmpty ? [[]] : programs).map(copies)
    let indices = processes.map { process in Set(process.map(\.image)) }
    return processes.joined().map { image, other, isLinked in
      let isProblem = isLinked || !librariesAreSeparate && indices.allSatisfy { $0.contains(image) }
      return (images[image], images[other], isProblem)
    }
  }

  /// Returns the pairs in a process with the given executable, its libraries, and all of `opened`.
  private func copies(_ program: Set<Int>) -> [(image: Int, other: Int, isLinked: Bool)] {
    let groups = [program] + opened
    // As at run time, the executable's copy comes first, so that other copies are paired with it.
    // Libraries that the executable doesn't link come last.
    func rank(_ index: Int) -> (Int, Int, Int) {
      (program.contains(index) ? 0 : 1, images[index].header.type == .executable ? 0 : 1, index)
    }
    // A process loads only one of several images with the same linkage name. For a library that an
    // image links, the default is the file name. Other images without a name count as loaded.
    var names: Set<String> = []
    let loaded = program.union(openable).sorted { rank($0) < rank($1) }.filter { index in
      let own = linkedByOthers.contains(index) ? images[index].path.lastPathComponent : nil
      return (images[index].linkage.name ?? own).map { names.insert($0).inserted } ?? true
    }
    let copies = loaded.filter { images[$0].hasLibrary }
    return copies.enumerated().dropFirst().map { position, index in
      let linked = copies[..<position].first { other in
        groups.contains { $0.contains(other) && $0.contains(index) }
      }
      return (index, linked ?? copies[0], linked != nil)
    }
  }
}
