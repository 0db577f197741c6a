/// A string of a JSON text that can be compared without creating a Swift string.
///
/// The value refers to the bytes of the JSON if these are ASCII without escapes, and is valid while
/// they exist. Otherwise it stores the decoded string. Comparison is by code points, per RFC 8259.
package struct JSONText {
  /// The bytes of the string, if they are ASCII without escapes; otherwise empty.
  fileprivate let raw: UnsafeRawBufferPointer
  fileprivate let decoded: String?

  init(_ ascii: UnsafeRawBufferPointer) {
    raw = ascii
    decoded = nil
  }

  package init(_ decoded: String) {
    raw = UnsafeRawBufferPointer(start: nil, count: 0)
    self.decoded = decoded
  }

  package var isEmpty: Bool { decoded?.isEmpty ?? raw.isEmpty }

  package var string: String { decoded ?? String(decoding: raw, as: UTF8.self) }

  /// Returns whether a string equals a literal, for `switch` statements.
  package static func ~= (literal: StaticString, text: JSONText) -> Bool {
    let bytes = UnsafeRawBufferPointer(literal)
    if var decoded = text.decoded { return decoded.withUTF8 { UnsafeRawBufferPointer($0).isSame(as: bytes) } }
    return text.raw.isSame(as: bytes)
  }
}

extension UnsafeRawBufferPointer {
  init(_ literal: StaticString) {
    self.init(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
  }

  @inline(never) func isSame(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    for index in 0..<count where self[index] != other[index] { return false }
    return true
  }
}

/// The keys of an object that were read so far, to detect duplicates: references to the bytes of up
/// to sixteen keys without escapes, or else a set of decoded keys.
package struct JSONKeys {
  // A vector instead of an array, which would allocate memory for each record.
  private var offsets = SIMD16<UInt32>()
  private var count = 0
  private var many: Set<[UInt8]> = []

  mutating func insert(_ key: JSONText, of json: UnsafeRawBufferPointer) -> Bool {
    guard key.decoded == nil, many.isEmpty, count < offsets.scalarCount,
      let offset = UInt32(exactly: key.raw.baseAddress! - json.baseAddress!)
    else { return insertAmongMany(key, of: json) }
    for index in 0..<count {
      // The keys have no escapes, so each ends with a quotation mark. An earlier key of the same
      // length is within the bounds of the text.
      let start = Int(offsets[index]), end = start + key.raw.count
      let isSameLength = json[end] == UInt8(ascii: "\"")
      if isSameLength, UnsafeRawBufferPointer(rebasing: json[start..<end]).isSame(as: key.raw) { return false }
    }
    offsets[count] = offset
    count += 1
    return true
  }

  private mutating func insertAmongMany(_ key: JSONText, of json: UnsafeRawBufferPointer) -> Bool {
    for index in 0..<count {
      let plain = json[Int(offsets[index])...].prefix { $0 != UInt8(ascii: "\"") }
      many.add(Array(plain))
    }
    count = 0
    // Compare bytes, because Swift treats canonically equivalent strings as equal, such as "é" as
    // one and as two code points.
    return many.add(Array(key.string.utf8))
  }
}
