internal import RegistryC

/// A JSON string that can be compared without creating a Swift string.
///
/// A value read from ASCII without escapes refers to bytes of the JSON and must not outlive those
/// bytes. Any other value stores a decoded string. Code points are compared, as in RFC 8259.
package struct JSONText {
  /// The bytes in the JSON; empty for a decoded string.
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

  /// The bytes in the JSON, or nil for a decoded string.
  var bytes: UnsafeRawBufferPointer? { decoded == nil ? raw : nil }

  package var string: String { decoded ?? String(decoding: raw, as: UTF8.self) }

  /// Returns whether a string equals a literal, for `switch` statements.
  @inline(never)
  package static func ~= (literal: StaticString, text: JSONText) -> Bool {
    let bytes = UnsafeRawBufferPointer(literal)
    guard var decoded = text.decoded else { return text.raw.isSame(as: bytes) }
    return decoded.withUTF8 { UnsafeRawBufferPointer($0).isSame(as: bytes) }
  }
}

extension UnsafeRawBufferPointer {
  package init(_ literal: StaticString) {
    self.init(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
  }

  package func isSame(as other: UnsafeRawBufferPointer) -> Bool {
    count == other.count && registry_json_same(baseAddress, other.baseAddress, count)
  }
}

/// The keys that were read from an object so far, to detect duplicates. Up to sixteen keys that
/// `registry_json_key` reads are stored as offsets into the JSON. Any other key moves all to a set.
package struct JSONKeys {
  // A C array, because a Swift array would allocate memory for each object.
  var plain = registry_json_keys()
  private var all: Set<[UInt8]> = []

  /// Adds a key to the set, and returns whether it is new.
  mutating func insert(_ key: JSONText, of json: UnsafeRawBufferPointer) -> Bool {
    if all.isEmpty {
      withUnsafeBytes(of: plain.offsets) { offsets in
        for offset in offsets.bindMemory(to: UInt32.self).prefix(Int(plain.count)) {
          all.add(Array(json[Int(offset)...].prefix { $0 != UInt8(ascii: "\"") }))
        }
      }
      // Mark the offsets as full, so that all later keys are added to the set.
      plain.count = 16
    }
    // Compare bytes, because Swift treats canonically equivalent strings as equal, such as "é" as
    // one code point and as two.
    return all.add(Array(key.string.utf8))
  }
}
