/// An executable or library loaded into this process.
public struct LoadedImage: Sendable, Hashable, CustomStringConvertible {
  private let values: Values

  /// The values of an image, which every copy of the structure shares.
  ///
  /// Errors, diagnostics, and services refer to images. A single pointer makes their code smaller
  /// than the values do.
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

  /// The path of the file.
  public var path: String { values.path }
  /// The serial number of the opening, which is unique in the process and ascends in load order.
  package var serial: UInt64 { values.serial }
  /// The number of scans that found images before the scan that found this image.
  package var batch: Int { values.batch }

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
