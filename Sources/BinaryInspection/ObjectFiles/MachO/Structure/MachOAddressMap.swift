/// A mapping from addresses to the bytes of a file.
///
/// The regions are the segments of an image or the sections of an object.
struct MachOAddressMap {
  /// A range of addresses.
  struct Region {
    let name: String
    /// The index of the segment or, in an object, of the section.
    let index: Int
    let address: UInt64
    let size: UInt64
    let fileOffset: UInt64
    /// The number of bytes that the file contains; the other bytes are zeros.
    let fileSize: UInt64
    let isProtected: Bool
  }

  private let view: BinaryView
  private let isObject: Bool
  /// The regions by address; only those of debug symbols and similar files can overlap.
  private let regions: [Region]
  /// The encrypted range of the file; nil if there is none.
  private let encrypted: Range<UInt64>?

  init(_ view: BinaryView, _ header: MachOHeader, _ commands: MachOLoadCommands) {
    self.view = view
    isObject = header.isObject
    encrypted = commands.encrypted
    var regions: [Region] = []
    if isObject {
      for (index, entry) in commands.sections.enumerated() where entry.section.size > 0 {
        let section = entry.section
        regions.append(
          Region(
            name: section.name, index: index, address: section.address, size: section.size,
            fileOffset: section.offset ?? 0, fileSize: section.offset == nil ? 0 : section.size,
            isProtected: section.isEncrypted))
      }
    } else {
      for (index, segment) in commands.segments.enumerated() where segment.size > 0 && !segment.isInaccessible {
        regions.append(
          Region(
            name: segment.name, index: index, address: segment.address, size: segment.size,
            fileOffset: segment.fileOffset, fileSize: min(segment.fileSize, segment.size),
            isProtected: segment.isProtected))
      }
    }
    self.regions = regions.sorted { $0.address < $1.address }
  }

  /// Returns the region that contains an address; nil if there is none.
  func region(at address: UInt64) -> Region? {
    let low = regions.firstSortedIndex { $0.address > address }
    guard low > 0, address - regions[low - 1].address < regions[low - 1].size else { return nil }
    return regions[low - 1]
  }

  /// Returns the region that contains all bytes of a range.
  func region(
    at address: UInt64, _ count: UInt64, _ what: @autoclosure () -> String
  ) throws(InspectionError) -> Region {
    guard let region = region(at: address) else {
      throw error(
        "\(what()) at address 0x\(String(address, radix: 16)) is in no \(isObject ? "section" : "segment")")
    }
    guard count <= region.size - (address - region.address) else {
      throw error(
        "\(what()) (\(count) bytes at address 0x\(String(address, radix: 16))) must be within"
          + " the \(isObject ? "section" : "segment") '\(region.name)'")
    }
    return region
  }

  /// Returns the bytes at an address; bytes that the file does not contain are zero.
  func bytes(
    at address: UInt64, _ count: UInt64, _ what: @autoclosure () -> String
  ) throws(InspectionError) -> [UInt8] {
    if count == 0 { return [] }
    let region = try region(at: address, count, what())
    let distance = address - region.address
    let inFile = distance < region.fileSize ? min(count, region.fileSize - distance) : 0
    var bytes: [UInt8] = []
    if inFile > 0 {
      let offset = region.fileOffset + distance
      if region.isProtected || encrypted.map({ $0.overlaps(offset..<offset + inFile) }) ?? false {
        throw view.error(offset, "\(what()) is encrypted")
      }
      bytes = try view.bytes(offset, inFile, what())
    }
    // Limit the zeros by the size of the file, because a file can claim any number of them.
    guard count - inFile <= view.size else {
      throw error(
        "\(what()) (\(count) bytes at address 0x\(String(address, radix: 16))) has more zeros than the file has bytes"
      )
    }
    return bytes + repeatElement(0, count: Int(count - inFile))
  }

  /// Returns the text at an address up to its NUL.
  func cString(at address: UInt64, limit: UInt64 = 65_536, _ what: @autoclosure () -> String) throws(InspectionError)
    -> String
  {
    let region = try region(at: address, 1, what())
    let room = min(region.size - (address - region.address), limit)
    var text: [UInt8] = []
    while UInt64(text.count) < room {
      let piece = try bytes(at: address + UInt64(text.count), min(256, room - UInt64(text.count)), what())
      if let end = piece.firstIndex(of: 0) { return String(decoding: text + piece[..<end], as: UTF8.self) }
      text += piece
    }
    throw error("\(what()) at address 0x\(String(address, radix: 16)) is not terminated")
  }

  /// Creates an error about an address, which has no offset in the file.
  private func error(_ message: String) -> InspectionError { InspectionError(file: view.name, message: message) }
}
