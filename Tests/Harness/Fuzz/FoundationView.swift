// Foundation's view of the bytes that a fuzzer tries, and the function that ends a failed run.

import Foundation

/// The result of reading bytes with Foundation.
enum FoundationView {
  case object([String: Any])
  /// The bytes are not an object, or not JSON, and the value is Foundation's reason.
  case refused(String)
  /// Foundation's result cannot be compared.
  ///
  /// Foundation reads every number, including those that the reader skips, and rejects numbers that
  /// do not fit.
  case undecided

  init(_ bytes: UnsafeRawBufferPointer) {
    do {
      let value = try JSONSerialization.jsonObject(with: Data(bytes))
      self = (value as? [String: Any]).map { .object($0) } ?? .refused("not an object")
    } catch {
      let problem = (error as NSError).userInfo["NSDebugDescription"] as? String ?? "\(error)"
      self = problem.contains("is not representable") ? .undecided : .refused(problem)
    }
  }
}

/// Reports a broken promise and ends the run, so that libFuzzer keeps the input.
func broken(_ promise: String, _ bytes: UnsafeRawBufferPointer) -> Never {
  FileHandle.standardError.write(Data("broken: \(promise)\n\(String(decoding: bytes, as: UTF8.self))\n".utf8))
  abort()
}

/// Returns a Boolean value that indicates whether Foundation detects an encoding that records do
/// not use.
///
/// Foundation detects the encoding from a byte order mark or from zeros.
func isOtherEncoding(_ bytes: UnsafeRawBufferPointer) -> Bool {
  let start = Array(bytes.prefix(4))
  return start.starts(with: [0xef, 0xbb, 0xbf]) || start.starts(with: [0xfe, 0xff]) || start.starts(with: [0xff, 0xfe])
    || start.contains(0)
}

/// Returns a Boolean value that indicates whether an error is a comma before a closing bracket.
///
/// Foundation accepts such a comma, but RFC 8259 does not.
func isTrailingComma(_ offset: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
  guard offset < bytes.count, bytes[offset] == UInt8(ascii: "}") || bytes[offset] == UInt8(ascii: "]") else {
    return false
  }
  let before = bytes[..<offset].last { ![0x20, 0x0a, 0x0d, 0x09].contains($0) }
  return before == UInt8(ascii: ",")
}

/// Returns the bytes outside strings, and the strings with their quotes, of JSON that Foundation
/// accepts.
private func pieces(_ bytes: UnsafeRawBufferPointer) -> [ArraySlice<UInt8>] {
  let bytes = Array(bytes)
  var pieces: [ArraySlice<UInt8>] = []
  var start: Int?
  var isEscaped = false
  for (index, byte) in bytes.enumerated() {
    if let first = start {
      if byte == UInt8(ascii: "\""), !isEscaped {
        pieces.append(bytes[first...index])
        start = nil
      }
      isEscaped = byte == UInt8(ascii: "\\") && !isEscaped
    } else if byte == UInt8(ascii: "\"") {
      start = index
    } else if ![0x20, 0x0a, 0x0d, 0x09].contains(byte) {
      pieces.append(bytes[index...index])
    }
  }
  return pieces
}

/// Returns the maximum nesting depth of the brackets outside strings.
func bracketDepth(_ bytes: UnsafeRawBufferPointer) -> Int {
  var (depth, deepest) = (0, 0)
  for piece in pieces(bytes) {
    if piece == [UInt8(ascii: "{")] || piece == [UInt8(ascii: "[")] { depth += 1 }
    if piece == [UInt8(ascii: "}")] || piece == [UInt8(ascii: "]")] { depth -= 1 }
    deepest = max(deepest, depth)
  }
  return deepest
}

/// Returns a Boolean value that indicates whether an object contains the same key twice.
///
/// Foundation must accept the bytes. It also decodes each key.
func hasKeyTwice(_ bytes: UnsafeRawBufferPointer) -> Bool {
  var objects: [Set<[Unicode.Scalar]>] = []
  let pieces = pieces(bytes)
  for (index, piece) in pieces.enumerated() {
    if piece == [UInt8(ascii: "{")] { objects.append([]) }
    if piece == [UInt8(ascii: "}")] { objects.removeLast() }
    guard piece.count > 1, index + 1 < pieces.count, pieces[index + 1] == [UInt8(ascii: ":")] else { continue }
    let text = try? JSONSerialization.jsonObject(with: Data(piece), options: .fragmentsAllowed) as? String
    guard let text else { broken("Foundation does not read a key of its own", bytes) }
    if !objects[objects.count - 1].insert(Array(text.unicodeScalars)).inserted { return true }
  }
  return false
}

/// Returns a Boolean value that indicates whether Foundation read a Boolean literal.
func isBoolean(_ value: Any) -> Bool {
  guard let number = value as? NSNumber else { return false }
  return String(cString: number.objCType) == "c"
}

/// Returns a Boolean value that indicates whether Foundation stores a number in floating point.
///
/// It does so for `1.0` and `1e3`, which the reader does not accept as integers.
func isFraction(_ value: NSNumber) -> Bool { String(cString: value.objCType) == "d" }

extension String {
  /// The string without byte order marks.
  ///
  /// In JSON, a byte order mark is a character like any other, but Foundation drops it before a
  /// string and after an escape. So strings are compared without these marks.
  var withoutMarks: String {
    guard unicodeScalars.contains("\u{feff}") else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.filter { $0 != "\u{feff}" }))
  }

  /// Returns a Boolean value that indicates whether both strings have the same code points.
  ///
  /// The operator `==` also accepts strings that are only canonically equivalent.
  func isExactly(_ other: String) -> Bool { unicodeScalars.elementsEqual(other.unicodeScalars) }
}
