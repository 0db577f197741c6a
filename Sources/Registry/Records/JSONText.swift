/// A string of a JSON text that is to be compared: its bytes where these are it, else what they mean.
///
/// Compared as RFC 8259 says, by code points. Valid as long as the bytes that were read.
package struct JSONText {
  /// ASCII without escapes; empty if `decoded` is set.
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

  /// Whether it is the same as a literal: what `switch` asks.
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

/// The keys of an object so far: while they are few and plain, as in a record, where they stand; else what they say.
struct JSONKeys {
  // Vectors as lists of a fixed length: an array would be memory allocated for each record.
  private var starts = SIMD16<UInt>()
  private var sizes = SIMD16<UInt>()
  private var count = 0
  private var many: Set<JSONKey> = []

  /// Whether the key is new.
  mutating func insert(_ text: JSONText) -> Bool {
    guard text.decoded == nil, many.isEmpty, count < starts.scalarCount else { return insertAmongMany(text) }
    for index in 0..<count where plain(index).isSame(as: text.raw) { return false }
    starts[count] = UInt(bitPattern: text.raw.baseAddress)
    sizes[count] = UInt(text.raw.count)
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

/// A key as RFC 8259 compares it: by its code points. Swift's strings are also equal when they only look the same ("é" as
/// one code point and as two), which is another key to every other reader.
private struct JSONKey: Hashable {
  let text: String

  static func == (a: Self, b: Self) -> Bool { a.text == b.text && a.text.utf8.elementsEqual(b.text.utf8) }

  func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
