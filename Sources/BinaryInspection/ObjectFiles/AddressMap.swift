/// A mapping from a binary's addresses to the bytes of its file.
package struct AddressMap {
  private let view: BinaryView
  private let kind: String
  /// The segments of a linked image, or the sections of a Mach-O object, sorted by address. Only
  /// debug symbols and hostile files have overlapping regions. In these files, the last region that
  /// starts at or before an address applies.
  private let regions: [Section]
  private let encrypted: Range<UInt64>?

  init(_ regions: [Section], ofObject isObject: Bool, _ view: BinaryView, encrypted: Range<UInt64>? = nil) {
    self.view = view
    self.encrypted = encrypted
    kind = isObject ? "section" : "segment"
    self.regions = regions.filter { $0.size > 0 }.sorted { $0.address < $1.address }
  }

  func region(at address: UInt64) -> Section? {
    // All regions before index `lower` start at or before the address.
    var (lower, upper) = (0, regions.count)
    while lower < upper {
      let middle = (lower + upper) / 2
      if regions[middle].address > address { upper = middle } else { lower = middle + 1 }
    }
    guard lower > 0, address - regions[lower - 1].address < regions[lower - 1].size else { return nil }
    return regions[lower - 1]
  }

  func region(
    at address: UInt64, _ count: UInt64, _ what: @autoclosure () -> String
  ) throws(InspectionProblem) -> Section {
    guard let region = region(at: address) else {
      throw view.error(nil, "\(what()) at address \(address.hex) is in no \(kind)")
    }
    guard count <= region.size - (address - region.address) else {
      throw view.error(
        nil, "\(what()) (\(count.bytes) at address \(address.hex)) must be within the \(kind) '\(region.name)'")
    }
    return region
  }

  /// Returns the offset of the bytes at an address; nil if the file lacks any of the bytes.
  func offset(at address: UInt64, _ size: UInt64) -> UInt64? {
    guard let region = region(at: address), let start = region.offset else { return nil }
    let distance = address - region.address
    guard distance <= region.fileSize, size <= region.fileSize - distance else { return nil }
    return start + distance
  }

  /// Returns the bytes at an address. Bytes that the file doesn't contain are zero.
  package func bytes(
    at address: UInt64, _ count: UInt64, _ what: @autoclosure () -> String
  ) throws(InspectionProblem) -> [UInt8] {
    if count == 0 { return [] }
    let region = try region(at: address, count, what())
    let distance = address - region.address
    let inFile = distance < region.fileSize ? min(count, region.fileSize - distance) : 0
    var bytes: [UInt8] = []
    if inFile > 0, let start = region.offset {
      let offset = start + distance
      if region.isEncrypted || encrypted?.overlaps(offset..<offset + inFile) == true {
        throw view.error(offset, "\(what()) is encrypted")
      }
      bytes = try view.bytes(offset, inFile, what())
    }
    // Limit the zeros to the size of the file, because a file can claim any number of them.
    guard count - inFile <= max(view.size, 4_096) else {
      throw view.error(
        nil, "\(what()) (\(count.bytes) at address \(address.hex)) has more zeros than the file has bytes")
    }
    return bytes + repeatElement(0, count: Int(count - inFile))
  }

  /// Returns the text from an address up to a NUL, truncated if it's very long.
  func cString(at address: UInt64, _ what: @autoclosure () -> String) throws(InspectionProblem) -> String {
    let region = try region(at: address, 1, what())
    let text = try String.text(upTo: 4_096, of: region.size - (address - region.address)) {
      position, count throws(InspectionProblem) in
      try bytes(at: address &+ position, count, what())
    }
    guard let text else { throw view.error(nil, "\(what()) at address \(address.hex) is not terminated") }
    return text
  }
}
