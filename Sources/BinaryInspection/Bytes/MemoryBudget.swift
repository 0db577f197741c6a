/// How much memory the reading of a file may take: as much as the file has bytes, and a fixed amount, as a small file needs some too.
///
/// A few bytes of a file can stand for many in memory: a byte of opcodes for a bound pointer, forty bytes for a record with all that is
/// said of it. What is made of a file is counted here before it is made, by the bytes of its elements and rather too many than too few. What
/// passes through, a piece of the file at a time, is not. Files that compilers and linkers write stay far below; one that does not was
/// made to exhaust whoever reads it.
final class MemoryBudget {
  /// What there is for a file of no bytes.
  static let base: UInt64 = 64 << 20

  private let fileSize: UInt64
  private(set) var limit: UInt64
  /// For the binary at hand, and given back when it has been read.
  private var temporary: UInt64 = 0
  /// For what is known of the file afterwards: its images, their records, the names of their classes.
  private var kept: UInt64 = 0
  /// Whether it was said that there is too little. Of a file that is said once, however many parts it has.
  private var isTold = false

  /// What is kept of this file and of others beyond their sizes.
  private let reserve: MemoryReserve

  init(fileSize: UInt64, base: UInt64 = base, reserve: MemoryReserve = MemoryReserve()) {
    self.fileSize = min(fileSize, 1 << 62)
    self.reserve = reserve
    limit = self.fileSize + base
  }

  var left: UInt64 { limit - min(limit, temporary + kept) }

  /// Counts what the binary at hand takes.
  ///
  /// - Returns: Whether there is so much. If not, nothing is counted.
  func spend(_ count: UInt64, each size: UInt64) -> Bool {
    let (bytes, overflows) = count.multipliedReportingOverflow(by: size)
    guard !overflows, bytes <= left else { return false }
    temporary += bytes
    return true
  }

  /// Counts what is kept when the binary has been read.
  ///
  /// - Returns: Whether there is so much. If not, nothing is counted.
  func keep(_ bytes: UInt64) -> Bool {
    guard bytes <= left else { return false }
    let beyond = { (kept: UInt64) in kept - min(kept, self.fileSize) }
    guard reserve.take(beyond(kept + bytes) - beyond(kept)) else { return false }
    kept += bytes
    return true
  }

  /// Does something, and takes back what is spent on it.
  func lend<Result>(_ body: () throws(InspectionError) -> Result) throws(InspectionError) -> Result {
    let before = temporary
    defer { temporary = before }
    return try body()
  }

  /// Makes room for a file that belongs to this one, as the members of a thin archive do, while that is open.
  func widen(by fileSize: UInt64) { limit += min(fileSize, 1 << 32) }

  func narrow(by fileSize: UInt64) { limit -= min(fileSize, 1 << 32) }

  /// Whether it is to be said that there is too little: the first time that this is asked.
  func isNews() -> Bool {
    defer { isTold = true }
    return !isTold
  }
}

/// What files that are read one after another may have kept of them beyond their sizes, all together: a folder of a thousand small ones
/// is to take no more than one large one.
final class MemoryReserve {
  private var left = MemoryBudget.base

  func take(_ bytes: UInt64) -> Bool {
    guard bytes <= left else { return false }
    left -= bytes
    return true
  }
}
