// What Foundation makes of the bytes that a fuzzer tries, and how a broken promise ends the run.

import Foundation

/// What Foundation makes of bytes.
enum FoundationView {
  case object([String: Any])
  /// It is no object, or no JSON.
  case refused(String)
  /// It cannot serve as a judge: it reads every number, also those that the reader passes over, and not all of them fit.
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

/// Ends the run; libFuzzer keeps the input.
func broken(_ promise: String, _ bytes: UnsafeRawBufferPointer) -> Never {
  FileHandle.standardError.write(Data("broken: \(promise)\n\(String(decoding: bytes, as: UTF8.self))\n".utf8))
  abort()
}

/// Whether Foundation reads the bytes as text of an encoding that records are not in: by its mark, or by zeros.
func isOtherEncoding(_ bytes: UnsafeRawBufferPointer) -> Bool {
  let start = Array(bytes.prefix(4))
  return start.starts(with: [0xef, 0xbb, 0xbf]) || start.starts(with: [0xfe, 0xff]) || start.starts(with: [0xff, 0xfe])
    || start.contains(0)
}

/// Whether a refusal is of a comma in front of a closing bracket: Foundation takes it, RFC 8259 does not.
func isTrailingComma(_ offset: Int, _ bytes: UnsafeRawBufferPointer) -> Bool {
  guard offset < bytes.count, bytes[offset] == UInt8(ascii: "}") || bytes[offset] == UInt8(ascii: "]") else {
    return false
  }
  let before = bytes[..<offset].last { ![0x20, 0x0a, 0x0d, 0x09].contains($0) }
  return before == UInt8(ascii: ",")
}

/// What stands outside of strings, and the strings with their quotes, of JSON that Foundation takes.
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

/// How deep the brackets outside of strings go.
func bracketDepth(_ bytes: UnsafeRawBufferPointer) -> Int {
  var (depth, deepest) = (0, 0)
  for piece in pieces(bytes) {
    if piece == [UInt8(ascii: "{")] || piece == [UInt8(ascii: "[")] { depth += 1 }
    if piece == [UInt8(ascii: "}")] || piece == [UInt8(ascii: "]")] { depth -= 1 }
    deepest = max(deepest, depth)
  }
  return deepest
}

/// Whether an object in JSON that Foundation takes has a key twice, each decoded by Foundation.
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

/// Whether Foundation read `true` or `false`.
func isBoolean(_ value: Any) -> Bool {
  guard let number = value as? NSNumber else { return false }
  return String(cString: number.objCType) == "c"
}

/// Whether Foundation keeps a number as a `Double`, as it does with `1.0` and `1e3`, which are no integers to us.
func isFraction(_ value: NSNumber) -> Bool { String(cString: value.objCType) == "d" }

extension String {
  /// Foundation drops a byte order mark in front of a string and behind an escape, although in JSON it is a character like
  /// any: texts are compared without.
  var withoutMarks: String {
    guard unicodeScalars.contains("\u{feff}") else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.filter { $0 != "\u{feff}" }))
  }

  /// Whether both have the same code points; `==` is also true of what only looks the same.
  func isExactly(_ other: String) -> Bool { unicodeScalars.elementsEqual(other.unicodeScalars) }
}
