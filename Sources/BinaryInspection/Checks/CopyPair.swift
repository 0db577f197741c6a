import Registry

/// Two images of one process that each contain a copy of this library.
struct CopyPair {
  let image: InspectedImage
  let other: InspectedImage
  /// A Boolean value that indicates whether the images link each other, or another image links
  /// both.
  ///
  /// If not, only code that opens a library at run time loads both.
  let isLinked: Bool
  /// A Boolean value that indicates whether every process that can open the image has another
  /// copy.
  ///
  /// If not, the image may belong to a process without one.
  fileprivate(set) var isInAllProcesses = false

  /// Returns a Boolean value that indicates whether the copies are a problem.
  ///
  /// - Parameter librariesAreSeparate: A Boolean value that indicates whether a library that no
  ///   image links may be in another process.
  func isProblem(librariesAreSeparate: Bool) -> Bool { isLinked || isInAllProcesses && !librariesAreSeparate }

  fileprivate func problem(librariesAreSeparate: Bool) -> InspectionProblem {
    let isProblem = isProblem(librariesAreSeparate: librariesAreSeparate)
    return InspectionProblem(
      file: image.name, severity: isProblem ? .problem : .note, code: .twoCopies,
      subject: isProblem ? "swift-section-registry" : nil,
      text: "this image and '\(other.name.escapedForDisplay(limit: 1_000))' each contain a copy of the library"
        + (isProblem ? " with" : "; if a process loads both, they have")
        + " separate managers, so neither finds the modules, services, and instances of the other; make the app, its"
        + " libraries, and its plug-ins depend on the product 'RegistryDynamic'")
  }
}

extension LinkedImages {
  /// Reports images that each contain a copy of this library, as notes if they may be in separate
  /// processes.
  ///
  /// - Parameter librariesAreSeparate: A Boolean value that indicates whether a library that no
  ///   image links may be in another process.
  func reportCopies(to list: ProblemList, librariesAreSeparate: Bool) {
    for pair in copies { list.add(pair.problem(librariesAreSeparate: librariesAreSeparate)) }
  }

  /// The pairs of images with a copy each, at most one for each image and process.
  ///
  /// A process has one executable, the libraries that it links, and those that no image links,
  /// because code can open these at run time. Objects and members of archives are not compared,
  /// because the linker combines their copies into one.
  var copies: [CopyPair] {
    guard images.count(where: \.hasLibrary) > 1 else { return [] }
    let (programs, opened) = (programs, opened)
    let processes = programs.isEmpty ? [copies([], opened)] : programs.map { copies($0, opened) }
    let names = processes.map { process in Set(process.map(\.image.name)) }
    return processes.joined().map { pair in
      var pair = pair
      pair.isInAllProcesses = names.allSatisfy { $0.contains(pair.image.name) }
      return pair
    }
  }

  /// Returns the pairs of one process.
  ///
  /// - Parameters:
  ///   - program: The executable and the images that it links, directly or not.
  ///   - opened: For each library that no image links, the library and the images that it links.
  private func copies(_ program: Set<Int>, _ opened: [Set<Int>]) -> [CopyPair] {
    let groups = [program] + opened
    // The copy of the executable comes first in messages, as at run time, and libraries that it
    // does not link come last.
    func rank(_ index: Int) -> (Int, Int, Int) {
      (program.contains(index) ? 0 : 1, images[index].header.type == .executable ? 0 : 1, index)
    }
    // A process loads only one of several images with the same name.
    var names: Set<String> = []
    let loaded = groups.reduce(into: Set<Int>()) { $0.formUnion($1) }.sorted { rank($0) < rank($1) }
      .filter { index in uniqueName(index).map { names.insert($0).inserted } ?? true }
    let copies = loaded.filter { images[$0].hasLibrary }
    return copies.enumerated().dropFirst().map { position, index in
      let linked = copies[..<position].first { other in
        groups.contains { $0.contains(other) && $0.contains(index) }
      }
      return CopyPair(image: images[index], other: images[linked ?? copies[0]], isLinked: linked != nil)
    }
  }
}
