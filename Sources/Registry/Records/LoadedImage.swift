/// An executable or library loaded into this process.
public struct LoadedImage: Sendable, Hashable, CustomStringConvertible {
  /// The path of the file.
  public let path: String
  /// The serial number of the opening, which is unique in the process and ascends in load order.
  package let serial: UInt64
  /// The number of scans that found images before the scan that found this image.
  package let batch: Int

  package init(path: String, serial: UInt64, batch: Int) {
    self.path = path
    self.serial = serial
    self.batch = batch
  }

  /// The last component of the path.
  public var name: String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  /// The name of the product that the image belongs to.
  ///
  /// Since Xcode 16, a debug build of an app or app extension puts its code into a library of its
  /// own, such as `Shop.debug.dylib`, and the executable `Shop` has no records. In a release build
  /// the records are in `Shop`. Filter by this name to find them in both. For other images, this is
  /// the same as ``name``.
  public var productName: String {
    let suffix = ".debug.dylib"
    guard name.hasSuffix(suffix), name.utf8.count > suffix.utf8.count else { return name }
    return String(name.dropLast(suffix.count))
  }

  public var description: String { name.escapedForDisplay() }
}
