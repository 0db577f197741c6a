/// An executable or library loaded into this process.
public struct Image: Sendable, Hashable, CustomStringConvertible {
  /// Its file.
  public let path: String
  /// Which opening of it this is: unique in the process, ascending in the order in which images came.
  public let serial: UInt64
  /// Zero for what was present when records were first looked for, then one more for each later look that
  /// found something.
  public let batch: Int

  package init(path: String, serial: UInt64, batch: Int) {
    self.path = path
    self.serial = serial
    self.batch = batch
  }

  /// The last component of the path.
  public var name: String {
    path.lastIndex(of: "/").map { String(path[path.index(after: $0)...]) } ?? path
  }

  public var description: String { name.escapedForDisplay() }
}
