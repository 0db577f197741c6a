import Foundation

/// The bytes of a shared object, in which a test changes the headers that the loader reads.
struct ElfFile {
  private(set) var bytes: [UInt8]

  init(_ path: String) throws {
    bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  func write(to path: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  /// The type and the address range of a segment, as in a program header.
  ///
  /// The format is ELF-64 in little-endian byte order.
  struct Segment: Equatable {
    static let loaded: UInt32 = 1
    static let note: UInt32 = 4
    static let unwinding: UInt32 = 0x6474_e550

    var type: UInt32
    var address: UInt64
    var size: UInt64
    var alignment: UInt64
  }

  /// The segments in the order of their program headers.
  var segments: [Segment] {
    get {
      headers.map {
        Segment(
          type: read($0), address: read($0 + 16), size: read($0 + 40), alignment: read($0 + 48))
      }
    }
    set {
      for (header, segment) in zip(headers, newValue) {
        write(segment.type, at: header)
        for place in [16, 24] { write(segment.address, at: header + place) }
        for place in [32, 40] { write(segment.size, at: header + place) }
        write(segment.alignment, at: header + 48)
      }
    }
  }

  /// The offset in the file at which the last loaded segment ends.
  var end: Int {
    let loaded = headers.filter { read($0) == Segment.loaded }
    return Int(loaded.map { (read($0 + 8) as UInt64) + read($0 + 32) }.max() ?? 0)
  }

  /// Returns the file with only its first bytes.
  func cut(to count: Int) -> ElfFile {
    var part = self
    part.bytes = Array(bytes.prefix(count))
    return part
  }

  private var headers: [Int] {
    let (start, size, count): (UInt64, UInt16, UInt16) = (read(32), read(54), read(56))
    return (0..<Int(count)).map { Int(start) + $0 * Int(size) }
  }

  private func read<Number: FixedWidthInteger>(_ place: Int) -> Number {
    bytes[place..<place + MemoryLayout<Number>.size].reversed().reduce(0) { $0 << 8 | Number($1) }
  }

  private mutating func write<Number: FixedWidthInteger>(_ number: Number, at place: Int) {
    for index in 0..<MemoryLayout<Number>.size {
      bytes[place + index] = UInt8(truncatingIfNeeded: number >> (8 * index))
    }
  }
}
