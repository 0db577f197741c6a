import Foundation

/// A check that rejects the property lists that Foundation's decoder mishandles.
///
/// `PropertyListDecoder` crashes on some input: it recurses into nested XML elements, and it
/// doesn't check that every binary object ends within the data. The check rejects this input, large
/// integers that Foundation would truncate, and any input that it can't verify. The decoder reports
/// other errors. Check each list before you decode it.
enum PropertyListCheck {
  /// The same limit as for JSON in records.
  static let depthLimit = 64
  static let countLimit = 100_000

  /// Checks a property list and returns the bytes to decode. The list must be binary, or XML in
  /// UTF-8 without a byte order mark.
  static func decodableBytes(of bytes: [UInt8]) throws(ManifestSyntaxError) -> [UInt8] {
    if bytes.starts(with: "bplist00".utf8) {
      try checkObjects(of: bytes)
      return bytes
    }
    // XML cannot contain a null character, so a null byte shows that the encoding isn't UTF-8.
    guard !bytes.contains(0), String(bytes: bytes, encoding: .utf8) != nil else {
      throw .propertyList("text that is not UTF-8")
    }
    try XMLNesting.check(bytes)
    // After a space, Foundation ignores the XML declaration, which can name another encoding.
    return [UInt8(ascii: " ")] + bytes
  }

  /// Checks that objects lie between the header and the offset table.
  private static func checkObjects(of bytes: [UInt8]) throws(ManifestSyntaxError) {
    let trailer = bytes.count - 32
    guard trailer >= 8 else { throw .propertyList("no trailer, because it is truncated") }
    let (offsetSize, referenceSize) = (Int(bytes[trailer + 6]), UInt64(bytes[trailer + 7]))
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize),
      let count = Int(exactly: integer(bytes[(trailer + 8)..<(trailer + 16)])), count <= countLimit,
      let table = Int(exactly: integer(bytes[(trailer + 24)...])), (8...trailer).contains(table),
      count * offsetSize <= trailer - table
    else { throw .propertyList("a malformed trailer, or more than \(countLimit) values") }
    for index in 0..<count {
      let entry = table + index * offsetSize
      let start = integer(bytes[entry..<(entry + offsetSize)])
      guard start >= 8, start < table, let end = end(ofObjectAt: Int(start), in: bytes[..<table], referenceSize),
        end <= table
      else { throw .propertyList("an object of an unknown kind, or one that extends beyond the objects") }
      // Of sixteen bytes, Foundation reads only the last eight.
      let large = bytes[Int(start)...].prefix(9)
      if large.first == 0x14, large.dropFirst().contains(where: { $0 != 0 }) {
        throw .propertyList("an integer of more than 64 bits")
      }
    }
  }

  /// Returns the index after an object, or nil if its kind is unknown or its count is malformed.
  private static func end(
    ofObjectAt start: Int, in bytes: ArraySlice<UInt8>, _ referenceSize: UInt64
  ) -> UInt64? {
    var (count, content) = (UInt64(bytes[start] & 0xf), start + 1)
    let size: UInt64
    switch bytes[start] >> 4 {
    // In numbers, dates, and unique identifiers, `count` determines the size of the content.
    case 0x1 where count <= 4, 0x2 where count <= 4, 0x3 where count <= 4: return UInt64(content) + 1 << count
    case 0x8: return UInt64(content) + count + 1
    case 0x0: return UInt64(content)
    case 0x4, 0x5: size = 1
    case 0x6: size = 2
    case 0xa, 0xc: size = referenceSize
    case 0xd: size = 2 * referenceSize
    default: return nil
    }
    if count == 0xf {
      // Foundation can multiply a count of at most four bytes without an overflow.
      guard let marker = bytes.dropFirst(content).first, (0x10...0x12).contains(marker) else { return nil }
      let countSize = 1 << Int(marker & 0xf)
      count = integer(bytes.dropFirst(content + 1).prefix(countSize))
      content += 1 + countSize
    }
    return UInt64(content) + size * count
  }

  /// Returns a big-endian integer.
  private static func integer(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
