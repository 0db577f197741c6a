import Registry

/// A check for images of one process that each contain a copy of this library.
enum CopyCheck {
  /// Returns a problem for each image of a process with a further copy.
  ///
  /// Objects are not compared, because the linker combines their copies into one.
  static func problems(in process: [InspectedImage]) -> [InspectionProblem] {
    let copies = process.filter { $0.hasLibrary && !$0.isObject }
    guard let first = copies.first else { return [] }
    return copies.dropFirst().map { image in
      InspectionProblem(
        file: image.name, code: .twoCopies, subject: "swift-section-registry",
        message:
          "this image and '\(first.name.escapedForDisplay(limit: 1_000))' each contain a copy of the library with"
          + " separate managers, so neither finds the modules, services, and instances of the other; make the app,"
          + " its libraries, and its plug-ins depend on the product 'RegistryDynamic'")
    }
  }
}
