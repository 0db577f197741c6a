/// A string of a JSON text that can be compared without creating a Swift string.
///
/// The value refers to the bytes of the JSON if these are ASCII without escapes. Otherwise, it
/// stores the decoded string. Strings are compared by code points, as RFC 8259 specifies.
///
/// A value is valid as long as the bytes that were read.
package struct JSONText {
  /// The bytes of the string, if they are ASCII without escapes; otherwise empty.
  fileprivate let raw: UnsafeRawBufferPointer
  fileprivate let decoded: String?

  init(_ ascii: UnsafeRawBufferPointer) {
    raw = ascii
    decoded = nil
  }

  init(_ decoded: String) {
    raw = UnsafeRawBufferPointer(start: nil, count: 0)
    self.decoded = decoded
  }

  package var isEmpty: Bool { decoded?.isEmpty ?? raw.isEmpty }

  package var string: String { decoded ?? String(decoding: raw, as: UTF8.self) }

  /// Returns whether a string equals a literal.
  ///
  /// A `switch` statement over strings calls this operator.
  package static func ~= (literal: StaticString, text: JSONText) -> Bool {
    let bytes = UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount)
    if let decoded = text.decoded { return decoded.utf8.elementsEqual(bytes) }
    return text.raw.isSame(as: bytes)
  }
}

extension UnsafeRawBufferPointer {
  fileprivate func isSame(as other: UnsafeRawBufferPointer) -> Bool {
    guard count == other.count else { return false }
    for index in 0..<count where self[index] != other[index] { return false }
    return true
  }
}

/// The keys of an object that were read so far, to detect duplicates.
///
/// Up to sixteen keys without escapes, as in a record, are references to their bytes. If an object
/// has other keys, all of them are decoded into a set.
struct JSONKeys {
  // The vectors serve as arrays of a fixed length. An array would allocate memory for each record.
  private var starts = SIMD16<UInt>()
  private var sizes = SIMD16<UInt>()
  private var count = 0
  private var many: Set<JSONKey> = []

  /// Adds a key, and returns whether it is new.
  mutating func insert(_ text: JSONText) -> Bool {
    guard text.decoded == nil, many.isEmpty, count < starts.scalarCount else { return insertAmongMany(text) }
    let size = UInt(text.raw.count)
    for index in 0..<count where sizes[index] == size && plain(index).isSame(as: text.raw) { return false }
    starts[count] = UInt(bitPattern: text.raw.baseAddress)
    sizes[count] = size
    count += 1
    return true
  }

  private func plain(_ index: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: UnsafeRawPointer(bitPattern: starts[index]), count: Int(sizes[index]))
  }

  private mutating func insertAmongMany(_ text: JSONText) -> Bool {
    if many.isEmpty { for index in 0..<count { many.insert(JSONKey(text: JSONText(plain(index)).string)) } }
    return many.insert(JSONKey(text: text.string)).inserted
  }
}

/// A key that is compared by its code points, as RFC 8259 specifies.
///
/// Strings of Swift are also equal if they are canonically equivalent, such as "é" as one and as
/// two code points. Other readers of JSON treat these as two keys.
private struct JSONKey: Hashable {
  let text: String

  static func == (a: Self, b: Self) -> Bool { a.text == b.text && a.text.utf8.elementsEqual(b.text.utf8) }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
