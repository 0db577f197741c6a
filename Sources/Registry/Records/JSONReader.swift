internal import RegistryC

package struct JSONError: Error, CustomStringConvertible {
  /// The offset of the problem in bytes from the start of the JSON.
  package let offset: Int
  package let message: String

  package var description: String { "\(message) at byte \(offset) of its JSON" }
}

package protocol JSONMembers {
  /// Reads the value of a member, or skips it.
  mutating func read(_ key: JSONText, _ reader: inout JSONReader) throws(JSONError)

  var problem: String? { get }
}

extension JSONMembers {
  /// Reads an object from bytes that must contain nothing else.
  // Not specialized, so that all types share the code. Not an initializer, because the code that
  // releases the properties after each error would take kilobytes.
  @inline(never) @_semantics("optimize.sil.specialize.generic.never")
  package mutating func read(_ json: UnsafeRawBufferPointer) throws(JSONError) {
    var reader = JSONReader(json)
    var keys = try reader.object()
    while let key = try reader.key(&keys) { try read(key, &reader) }
    try reader.end()
    if let problem { throw reader.error(problem) }
  }
}

package enum JSONKind {
  case object
  case array
  case string
  case number
  case boolean(Bool)
  case null
}

/// A parser that reads JSON from bytes, one value at a time.
///
/// Records are read at first use, thousands at a time, so the reader creates only the values that
/// the caller requests. It follows RFC 8259, and rejects an object with a duplicate key.
///
/// - Complexity: Linear in the number of bytes.
package struct JSONReader {
  /// The maximum nesting depth, which protects the stack from hostile input.
  private static let depthLimit = 64

  private let bytes: UnsafeRawBufferPointer
  private var offset = 0
  private var depth = 0
  private var isFirst = false

  /// Creates a reader of bytes. The bytes must outlive the reader.
  package init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// Begins reading an object. The caller must read all of its members:
  ///
  /// ```swift
  /// var keys = try reader.object()
  /// while let key = try reader.key(&keys) { try reader.skip() }
  /// ```
  ///
  /// - Returns: An empty set of keys, to pass to ``key(_:)``.
  package mutating func object() throws(JSONError) -> JSONKeys {
    try open(UInt8(ascii: "{"), "an object")
    return JSONKeys()
  }

  /// Reads the next key of an object. The caller must then read or skip the value.
  ///
  /// - Returns: The key, or nil at the end of the object.
  @_optimize(speed)
  package mutating func key(_ keys: inout JSONKeys) throws(JSONError) -> JSONText? {
    guard try next(UInt8(ascii: "}")) else { return nil }
    skipSpace()
    let start = offset
    let size = registry_json_key(bytes.baseAddress!, bytes.count, start, &keys.plain)
    if size > 0 {
      offset = start + size + 3
      return JSONText(UnsafeRawBufferPointer(rebasing: bytes[(start + 1)..<(start + 1 + size)]))
    }
    let key = try text()
    guard keys.insert(key, of: bytes) else {
      throw JSONError(offset: start, message: "duplicate key \(key.string.quotedForDisplay())")
    }
    skipSpace()
    guard take(UInt8(ascii: ":")) else { throw expected("a colon") }
    return key
  }

  /// Begins reading an array.
  package mutating func array() throws(JSONError) { try open(UInt8(ascii: "["), "an array") }

  /// Advances to the next element of an array. The caller must then read or skip the element.
  ///
  /// - Returns: False at the end of the array.
  package mutating func element() throws(JSONError) -> Bool { try next(UInt8(ascii: "]")) }

  @_optimize(speed)
  package mutating func text() throws(JSONError) -> JSONText {
    skipSpace()
    let start = offset + 1
    guard peek() == UInt8(ascii: "\"") else { throw expected("a string") }
    let end = registry_json_plain_end(bytes.baseAddress!, bytes.count, start)
    // Escapes, characters outside ASCII, and errors need the general function.
    guard end < bytes.count, bytes[end] == UInt8(ascii: "\"") else { return JSONText(try generalString(from: start)) }
    offset = end + 1
    return JSONText(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
  }

  package mutating func string() throws(JSONError) -> String { try text().string }

  /// Reads a string, and converts it to a value.
  ///
  /// - Parameters:
  ///   - what: The kind of value, for the error.
  ///   - convert: A closure that returns nil for an unknown string.
  @inline(__always)
  package mutating func word<Value>(
    _ what: StaticString, _ convert: (JSONText) -> Value?
  ) throws(JSONError) -> Value {
    let text = try text()
    guard let value = convert(text) else { throw unknown(what, text.string) }
    return value
  }

  // Separate, because `word` is inlined and should stay small.
  @inline(never)
  package func unknown(_ what: StaticString, _ text: String) -> JSONError {
    error("unknown \(what) \(text.quotedForDisplay())")
  }

  package mutating func integer() throws(JSONError) -> Int {
    skipSpace()
    let start = offset
    let text = try numeral()
    guard let value = Self.integer(text) else {
      throw JSONError(offset: start, message: "expected a 64-bit integer, but found \(text.quotedForDisplay())")
    }
    return value
  }

  /// Returns the value of a numeral, or nil if it isn't a plain integer in the range of `Int`.
  // `Int`'s own initializer would add two kilobytes of code.
  private static func integer(_ numeral: String) -> Int? {
    let isNegative = numeral.utf8.first == UInt8(ascii: "-")
    var value = 0
    for byte in numeral.utf8.dropFirst(isNegative ? 1 : 0) {
      guard (0x30...0x39).contains(byte) else { return nil }
      let digit = Int(byte) - 0x30
      let (tens, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflows) =
        isNegative ? tens.subtractingReportingOverflow(digit) : tens.addingReportingOverflow(digit)
      if isTooLarge || overflows { return nil }
      value = sum
    }
    return value
  }

  package mutating func boolean() throws(JSONError) -> Bool {
    skipSpace()
    let isTrue = peek() == UInt8(ascii: "t")
    guard isTrue || peek() == UInt8(ascii: "f") else { throw expected("true or false") }
    try literal(isTrue ? "true" : "false")
    return isTrue
  }

  /// Returns the kind of the next value. An invalid first character counts as a number. Consumes a
  /// Boolean or null.
  package mutating func kind() throws(JSONError) -> JSONKind {
    skipSpace()
    switch peek() {
    case UInt8(ascii: "{"): return .object
    case UInt8(ascii: "["): return .array
    case UInt8(ascii: "\""): return .string
    case UInt8(ascii: "t"):
      try literal("true")
      return .boolean(true)
    case UInt8(ascii: "f"):
      try literal("false")
      return .boolean(false)
    case UInt8(ascii: "n"):
      try literal("null")
      return .null
    default: return .number
    }
  }

  /// Reads a number and returns its spelling.
  package mutating func numeral() throws(JSONError) -> String {
    skipSpace()
    let start = offset
    try number()
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  package mutating func skip() throws(JSONError) {
    switch try kind() {
    case .object:
      var keys = try object()
      while try key(&keys) != nil { try skip() }
    case .array:
      try array()
      while try element() { try skip() }
    case .string: _ = try text()
    case .number: try number()
    case .boolean, .null: break
    }
  }

  package mutating func end() throws(JSONError) {
    skipSpace()
    if offset < bytes.count { throw expected("the end") }
  }

  package func error(_ message: String) -> JSONError { JSONError(offset: offset, message: message) }

  // MARK: - Tokens

  @inline(__always)
  private func peek() -> UInt8? { offset < bytes.count ? bytes[offset] : nil }

  @inline(__always)
  private mutating func take(_ byte: UInt8) -> Bool {
    guard peek() == byte else { return false }
    offset += 1
    return true
  }

  @inline(__always)
  private mutating func skipSpace() {
    while let byte = peek(), byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { offset += 1 }
  }

  private func expected(_ what: String) -> JSONError {
    let found =
      if let byte = peek() {
        (0x21..<0x7f).contains(byte) ? "'\(Character(Unicode.Scalar(byte)))'" : "byte \(byte)"
      } else { "the end" }
    return JSONError(offset: offset, message: "expected \(what), but found \(found)")
  }

  private mutating func open(_ bracket: UInt8, _ what: String) throws(JSONError) {
    skipSpace()
    guard take(bracket) else { throw expected(what) }
    depth += 1
    isFirst = true
    guard depth <= Self.depthLimit else {
      throw JSONError(offset: offset - 1, message: "nesting deeper than \(Self.depthLimit)")
    }
  }

  /// Advances to the next member or element. At the end, consumes the closing bracket and returns
  /// false.
  @_optimize(speed)
  private mutating func next(_ close: UInt8) throws(JSONError) -> Bool {
    skipSpace()
    defer { isFirst = false }
    if take(close) {
      depth -= 1
      return false
    }
    guard isFirst || take(UInt8(ascii: ",")) else { throw expected("a comma") }
    return true
  }

  private mutating func literal(_ text: StaticString) throws(JSONError) {
    let end = offset + text.utf8CodeUnitCount
    guard end <= bytes.count,
      UnsafeRawBufferPointer(rebasing: bytes[offset..<end]).isSame(as: UnsafeRawBufferPointer(text))
    else { throw expected("a value") }
    offset = end
  }

  private mutating func number() throws(JSONError) {
    _ = take(UInt8(ascii: "-"))
    if !take(UInt8(ascii: "0")) { try digits() }
    if take(UInt8(ascii: ".")) { try digits() }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      if !take(UInt8(ascii: "+")) { _ = take(UInt8(ascii: "-")) }
      try digits()
    }
  }

  private mutating func digits() throws(JSONError) {
    guard let first = peek(), (0x30...0x39).contains(first) else { throw expected("a value") }
    while let byte = peek(), (0x30...0x39).contains(byte) { offset += 1 }
  }

  private mutating func generalString(from start: Int) throws(JSONError) -> String {
    var text: [UInt8] = []
    offset = start
    while let byte = peek() {
      offset += 1
      switch byte {
      case UInt8(ascii: "\""):
        let string = String(decoding: text, as: UTF8.self)
        // Decoding repairs invalid UTF-8, so bytes that didn't change are valid.
        guard Array(string.utf8) == text else {
          throw JSONError(offset: start, message: "invalid UTF-8 in a string")
        }
        return string
      case UInt8(ascii: "\\"):
        text.append(contentsOf: String(try escape()).utf8)
      case 0..<0x20:
        throw JSONError(offset: offset - 1, message: "unescaped control character in a string")
      default:
        text.append(byte)
      }
    }
    throw expected("the end of a string")
  }

  private mutating func escape() throws(JSONError) -> Unicode.Scalar {
    let start = offset - 1
    guard let byte = peek() else { throw expected("the end of a string") }
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let unit = try hexadecimal()
      if let scalar = Unicode.Scalar(unit) { return scalar }
      if unit < 0xdc00, take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) {
        let low = try hexadecimal()
        if (0xdc00..<0xe000).contains(low),
          let scalar = Unicode.Scalar(0x10000 + ((unit - 0xd800) << 10 | (low - 0xdc00)))
        {
          return scalar
        }
      }
      throw JSONError(offset: start, message: "unpaired surrogate in a string")
    default:
      throw JSONError(offset: start, message: "invalid escape sequence in a string")
    }
  }

  private mutating func hexadecimal() throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = peek(), let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw expected("four hexadecimal digits")
      }
      value = value << 4 | UInt32(digit)
      offset += 1
    }
    return value
  }
}
