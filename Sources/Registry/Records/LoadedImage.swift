/// An executable or library loaded into this process.
public struct LoadedImage: Sendable, Hashable, CustomStringConvertible {
  private let values: Values

  /// The values of an image, shared by all copies of the structure. A single pointer makes code
  /// that refers to images smaller.
  private final class Values: Sendable, Hashable {
    let path: String
    let serial: UInt64
    let batch: Int

    init(path: String, serial: UInt64, batch: Int) {
      self.path = path
      self.serial = serial
      self.batch = batch
    }

    static func == (a: Values, b: Values) -> Bool { (a.serial, a.batch, a.path) == (b.serial, b.batch, b.path) }
    func hash(into hasher: inout Hasher) { hasher.combine(serial) }
  }

  package init(path: String, serial: UInt64, batch: Int) {
    values = Values(path: path, serial: serial, batch: batch)
  }

  /// The path of the file; empty if it is unknown.
  public var path: String { values.path }
  /// The unique serial number of this load. Images that are read later have higher numbers.
  package var serial: UInt64 { values.serial }
  /// A number that images share if they were found together.
  package var batch: Int { values.batch }

  /// The last component of the path.
  public var name: String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// The name of the product that the image belongs to.
  ///
  /// Since Xcode 16, a debug build of an app or app extension puts its code into a separate library
  /// such as `Shop.debug.dylib`, and the executable `Shop` has no records. Filter by this name to
  /// find the records in both kinds of builds. For other images, the product name is ``name``.
  public var productName: String {
    let suffix = ".debug.dylib"
    guard name.hasSuffix(suffix), name.utf8.count > suffix.utf8.count else { return name }
    return String(name.dropLast(suffix.count))
  }

  public var description: String { name.escapedForDisplay() }
}
