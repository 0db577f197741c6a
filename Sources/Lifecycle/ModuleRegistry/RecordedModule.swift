/// A module whose record a tool has read from a binary. Tools call no accessors, so the source file
/// distinguishes types with the same name.
package final class RecordedModule {
  package var attributes: ModuleAttributes
  package var image = ""
  /// The number of the image. Two records with accessors and the same name belong to two private
  /// types if they are in one image, and to copies of one type otherwise.
  package var imageNumber = 0
  package var hasAccessor = true
  /// The runtime's name for the type, or nil if the record contains that name.
  package var alias: String?
  package var file: Substring?
  /// For each name in `after` that was given as a type, the source files of types with that name.
  package var precedingFiles: [String: Set<Substring?>] = [:]

  package init(_ attributes: ModuleAttributes) {
    self.attributes = attributes
  }

  func isSame(as other: RecordedModule) -> Bool {
    attributes.module == other.attributes.module
      && !(hasAccessor && other.hasAccessor && imageNumber == other.imageNumber)
  }
}
