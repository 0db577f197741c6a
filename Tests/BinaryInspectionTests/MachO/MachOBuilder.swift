@testable import BinaryInspection

/// A sequence of numbers in little-endian byte order.
struct Bytes {
  var bytes: [UInt8] = []

  init() {}
  init(_ bytes: [UInt8]) { self.bytes = bytes }

  mutating func add<Number: FixedWidthInteger>(_ numbers: Number..., bigEndian: Bool = false) {
    for number in numbers {
      withUnsafeBytes(of: bigEndian ? number.bigEndian : number.littleEndian) { bytes += $0 }
    }
  }

  /// Appends a text in a field of a fixed size.
  mutating func add(_ text: String, size: Int) {
    bytes += Array(text.utf8).prefix(size)
    bytes += repeatElement(0, count: max(0, size - text.utf8.count))
  }

  mutating func pad(to size: Int) { bytes += repeatElement(0, count: max(0, size - bytes.count)) }

  mutating func put<Number: FixedWidthInteger>(_ number: Number, at offset: Int) {
    withUnsafeBytes(of: number.littleEndian) { bytes.replaceSubrange(offset..<offset + $0.count, with: $0) }
  }
}

/// A builder of well-formed and malformed Mach-O files.
///
/// By default, the file is a dylib for x86_64 with two segments: `__TEXT`, which contains the
/// header, at 0x10000, and `__DATA` at 0x14000. The bytes of `__DATA` are at offset 0x4000 of the
/// file, and all other contents follow them.
struct MachOBuilder {
  struct Section {
    var segment = "__DATA"
    var name = "data"
    var address: UInt64
    var size: UInt64
    var offset: UInt64
    var alignment: UInt32 = 3
    var relocations: (offset: UInt64, count: UInt64) = (0, 0)
    var flags: UInt32 = 0
    var reserved1: UInt32 = 0
  }

  struct Segment {
    var name: String
    var address: UInt64
    var size: UInt64
    var offset: UInt64
    var fileSize: UInt64
    var protection: UInt32 = 3
    var flags: UInt32 = 0
    var sections: [Section] = []
  }

  static let base: UInt64 = 0x10000
  static let dataAddress: UInt64 = 0x14000
  static let dataOffset: UInt64 = 0x4000

  var is64Bit = true
  var cpu: (type: UInt32, subtype: UInt32) = (0x0100_0007, 3)
  var fileType: UInt32 = 6
  var flags: UInt32 = 0
  var segments: [Segment] = []
  /// The load commands, except those of the segments.
  var commands: [[UInt8]] = []
  /// The contents of the data segment.
  ///
  /// The segment's size is rounded up to a page of 16 KB.
  var data = Bytes()
  /// The contents of the file behind the data segment.
  var rest = Bytes()

  init(is64Bit: Bool = true, cpu: (UInt32, UInt32)? = nil) {
    self.is64Bit = is64Bit
    self.cpu = cpu ?? (is64Bit ? (0x0100_0007, 3) : (7, 3))
  }

  var dataSize: UInt64 { max(1, (UInt64(data.bytes.count) + 0x3fff) / 0x4000) * 0x4000 }
  /// The offset of the rest in the file.
  var restOffset: UInt64 { Self.dataOffset + dataSize }

  var standardSegments: [Segment] {
    [
      Segment(name: "__TEXT", address: Self.base, size: 0x4000, offset: 0, fileSize: 0x4000, protection: 5),
      Segment(name: "__DATA", address: Self.dataAddress, size: dataSize, offset: Self.dataOffset, fileSize: dataSize),
    ]
  }

  /// Returns a load command that consists of 32-bit numbers.
  static func command(_ kind: UInt32, _ numbers: UInt32...) -> [UInt8] {
    var bytes = Bytes()
    bytes.add(kind, UInt32(8 + numbers.count * 4))
    for number in numbers { bytes.add(number) }
    return bytes.bytes
  }

  /// Appends bytes behind the data segment and returns their offset in the file.
  mutating func append(_ bytes: [UInt8]) -> UInt32 {
    rest.pad(to: (rest.bytes.count + 7) / 8 * 8)
    let offset = restOffset + UInt64(rest.bytes.count)
    rest.bytes += bytes
    return UInt32(offset)
  }

  /// Adds a symbol table.
  ///
  /// The contents of the data segment must be complete before the call.
  mutating func addSymbols(_ symbols: [(name: String, type: UInt8, value: UInt64)]) {
    var (table, strings) = (Bytes(), Bytes([0]))
    for symbol in symbols {
      table.add(UInt32(strings.bytes.count))
      table.add(symbol.type, 1 as UInt8)
      table.add(0 as UInt16)
      if is64Bit { table.add(symbol.value) } else { table.add(UInt32(symbol.value)) }
      strings.add(symbol.name, size: symbol.name.utf8.count + 1)
    }
    let offset = append(table.bytes)
    let stringOffset = append(strings.bytes)
    commands.append(
      Self.command(2, offset, UInt32(symbols.count), stringOffset, UInt32(strings.bytes.count)))
  }

  func build() -> [UInt8] {
    let commands = (segments.isEmpty ? standardSegments : segments).map { segment($0) } + commands
    var file = Bytes()
    file.add(is64Bit ? 0xfeed_facf : 0xfeed_face, cpu.type, cpu.subtype, fileType, UInt32(commands.count))
    file.add(UInt32(commands.reduce(0) { $0 + $1.count }), flags)
    if is64Bit { file.add(0 as UInt32) }
    for command in commands { file.bytes += command }
    file.pad(to: Int(Self.dataOffset))
    file.bytes += data.bytes
    file.pad(to: Int(restOffset))
    return file.bytes + rest.bytes
  }

  func view() -> BinaryView { BinaryView(FileBytes(build(), path: "x")) }
  func file() throws -> MachOFile { try MachOFile(view()) }

  private func segment(_ segment: Segment) -> [UInt8] {
    var body = Bytes()
    body.add(segment.name, size: 16)
    for number in [segment.address, segment.size, segment.offset, segment.fileSize] { word(number, &body) }
    body.add(segment.protection, segment.protection, UInt32(segment.sections.count), segment.flags)
    for section in segment.sections {
      body.add(section.name, size: 16)
      body.add(section.segment, size: 16)
      word(section.address, &body)
      word(section.size, &body)
      body.add(UInt32(section.offset), section.alignment)
      body.add(
        UInt32(section.relocations.offset), UInt32(section.relocations.count), section.flags, section.reserved1, 0)
      if is64Bit { body.add(0 as UInt32) }
    }
    var command = Bytes()
    // These commands are LC_SEGMENT_64 and LC_SEGMENT.
    command.add(is64Bit ? 0x19 : 0x1, UInt32(body.bytes.count + 8))
    return command.bytes + body.bytes
  }

  private func word(_ number: UInt64, _ bytes: inout Bytes) {
    if is64Bit { bytes.add(number) } else { bytes.add(UInt32(truncatingIfNeeded: number)) }
  }
}

/// Returns the message of the error that a closure throws, or nil if the closure throws none.
func message(_ body: () throws -> Void) -> String? {
  do { try body() } catch { return (error as? InspectionProblem)?.message ?? "\(error)" }
  return nil
}
