import BinaryInspection

/// The reader's results for one binary.
struct Seen: Encodable {
  struct Piece: Encodable {
    let name: String
    let address: UInt64
    let size: UInt64
    let offset: UInt64?
    /// The checksum of the section's bytes in the file.
    let sum: UInt32?
    /// The checksum of the bytes at the section's addresses; nil if another section has them, too.
    let sumByAddress: UInt32?
  }

  struct Target: Encodable {
    let at: UInt64
    var address: UInt64?
    var symbol: String?
    var addend: Int64?
    var error: String?
  }

  let file: String
  /// The offset of the binary in the file.
  let start: UInt64
  let size: UInt64
  let format: String
  let type: String
  let architecture: String
  let is64Bit: Bool
  let sections: [Piece]
  let records: [Piece]
  let pointers: [Target]
  let swiftTypes: [String]?
  let objectiveCClasses: [String]?

  /// The maximum number of pointers to read in each section.
  private static let limit: UInt64 = 2_000

  init(_ object: any ObjectFile, _ path: String) throws {
    (file, start, size) = (path, object.view.start, object.view.size)
    let header = object.header
    (format, type, architecture) = (header.format.rawValue, header.type.rawValue, header.architecture)
    is64Bit = header.is64Bit
    var places: [UInt64: Int] = [:]
    // The sections of an ELF object have no addresses.
    let isMapped = header.format == .machO || header.type != .object
    for section in object.sections where section.size > 0 { places[section.address, default: 0] += 1 }
    sections = try object.sections.map { section in
      // The addresses of debug symbols refer to segments without bytes.
      let isAlone = isMapped && header.type != .other && section.address != 0 && places[section.address] == 1
      return try Self.piece(section, object, isAlone: isAlone)
    }
    records = try object.recordSections.map { try Self.piece($0, object, isAlone: false) }
    pointers = isMapped ? object.sections.filter(Self.hasPointers).flatMap { Self.pointers($0, object) } : []
    var reader = MetadataReader(object)
    swiftTypes = try reader.names(of: .type)?.sorted()
    objectiveCClasses = try reader.names(of: .objectiveCClass)?.sorted()
  }

  private static func piece(_ section: Section, _ object: any ObjectFile, isAlone: Bool) throws -> Piece {
    return Piece(
      name: section.name, address: section.address, size: section.size, offset: section.offset,
      sum: try section.offset.map { adler32(try object.view.bytes($0, section.size, section.name)) },
      sumByAddress: isAlone && section.offset != nil
        ? adler32(try object.map.bytes(at: section.address, section.size, section.name)) : nil)
  }

  private static func adler32(_ bytes: [UInt8]) -> UInt32 {
    var (low, high): (UInt32, UInt32) = (1, 0)
    for byte in bytes { (low, high) = ((low + UInt32(byte)) % 65_521, (high + low + UInt32(byte)) % 65_521) }
    return high << 16 | low
  }

  private static func hasPointers(_ section: Section) -> Bool {
    guard section.offset != nil, section.address != 0 else { return false }
    return section.name.hasPrefix("__DATA") || section.name.hasPrefix("__AUTH")
      || [".init_array", ".fini_array", ".data.rel.ro", ".got", ".data"].contains(section.name)
  }

  private static func pointers(_ section: Section, _ object: any ObjectFile) -> [Target] {
    let size: UInt64 = object.header.is64Bit ? 8 : 4
    return (0..<min(limit, section.size / size)).compactMap { index in
      let place = section.address + index * size
      do {
        switch try object.pointer(at: place) {
        case .null: return nil
        case .address(let address): return Target(at: place, address: address)
        case .symbol(let name, let addend): return Target(at: place, symbol: name, addend: addend)
        }
      } catch {
        return Target(at: place, error: "\(error)")
      }
    }
  }
}
