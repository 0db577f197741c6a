// Fuzzes the JSON reader against Foundation. Both must accept the same objects and read the same
// values, except for the differences that RecordFormat.md documents.

import Foundation
import Registry

func fuzzJSON(_ bytes: UnsafeRawBufferPointer) {
  let foundation = FoundationJSON(bytes)
  do throws(JSONError) {
    var reader = JSONReader(bytes)
    var keys = try reader.object()
    while try reader.key(&keys) != nil { try reader.skip() }
    try reader.end()
  } catch {
    require((0...bytes.count).contains(error.offset), "the error is at \(error.offset) of \(bytes.count) bytes")
    require(error.description.utf8.count <= 1_000, "a message of \(error.description.utf8.count) bytes")
    if case .object = foundation { require(isDocumented(error, bytes), "rejected, but not by Foundation: \(error)") }
    return
  }
  switch foundation {
  case .object(let object):
    do throws(JSONError) {
      var reader = JSONReader(bytes)
      require(try isNext(object, &reader, depth: 1), "Foundation reads \(object)")
    } catch {
      require(false, "rejected when it is read again: \(error)")
    }
  case .refused(let problem): require(false, "accepted, but not by Foundation: \(problem)")
  case .undecided: break
  }
}

/// Reads the next value, and returns a Boolean value that indicates whether Foundation read the
/// same.
private func isNext(_ other: Any, _ reader: inout JSONReader, depth: Int) throws(JSONError) -> Bool {
  switch try reader.kind() {
  case .null: return other is NSNull
  case .boolean(let value): return FoundationJSON.isBoolean(other) && other as? Bool == value
  case .string:
    let text = try reader.string()
    return (other as? String)?.withoutMarks.isExactly(text.withoutMarks) ?? false
  case .number:
    var copy = reader
    let integer = try? copy.integer()
    try reader.skip()
    guard let number = other as? NSNumber, !FoundationJSON.isBoolean(number) else { return false }
    return integer.map { number.int64Value == Int64($0) } ?? (FoundationJSON.integer(number) == nil)
  case .array:
    guard let others = other as? [Any] else { return false }
    var count = 0, isSame = depth <= 64
    try reader.array()
    while try reader.element() {
      count += 1
      guard count <= others.count else {
        try reader.skip()
        continue
      }
      if try !isNext(others[count - 1], &reader, depth: depth + 1) { isSame = false }
    }
    return isSame && count == others.count
  case .object:
    guard let others = other as? [String: Any] else { return false }
    var names: [String] = [], found = 0, copy = reader, isSame = depth <= 64
    var keys = try copy.object()
    while let key = try copy.key(&keys) {
      names.append(key.string.withoutMarks)
      try copy.skip()
    }
    // Foundation's dictionary merges keys that are canonically equivalent, but JSON and the reader
    // distinguish them. Which value remains is not documented.
    let isMerged = Set(names).count < names.count
    keys = try reader.object()
    while let key = try reader.key(&keys) {
      let member = others.first { $0.key.withoutMarks.isExactly(key.string.withoutMarks) }
      guard !isMerged, let member else {
        try reader.skip()
        continue
      }
      if try !isNext(member.value, &reader, depth: depth + 1) { isSame = false }
      found += 1
    }
    return isSame && (isMerged || found == names.count && found == others.count)
  }
}

/// Returns a Boolean value that indicates whether RecordFormat.md documents an error for which
/// Foundation has none.
private func isDocumented(_ error: JSONError, _ bytes: UnsafeRawBufferPointer) -> Bool {
  // Foundation detects other encodings from a byte order mark or from zeros.
  let start = Array(bytes.prefix(4))
  let marks: [[UInt8]] = [[0xef, 0xbb, 0xbf], [0xfe, 0xff], [0xff, 0xfe]]
  if start.contains(0) || marks.contains(where: { start.starts(with: $0) }) { return true }
  // Foundation accepts a comma before a closing bracket.
  if error.offset < bytes.count, [UInt8(ascii: "}"), UInt8(ascii: "]")].contains(bytes[error.offset]) {
    return bytes[..<error.offset].last { ![0x20, 0x0a, 0x0d, 0x09].contains($0) } == UInt8(ascii: ",")
  }
  let isDuplicate = error.message.hasPrefix("duplicate key")
  guard isDuplicate || error.message.hasPrefix("nesting deeper") else { return false }
  // These are the strings, with their quotation marks, and the other characters. The brackets that
  // are open have the keys of their objects.
  let token = #/"(?:[^"\\]|\\.)*"|[^\s"]/#.matchingSemantics(.unicodeScalar)
  let tokens = String(decoding: bytes, as: UTF8.self).matches(of: token).map(\.output)
  var open: [Set<[Unicode.Scalar]>] = []
  for (token, next) in zip(tokens, tokens.dropFirst() + [""]) {
    switch token {
    case "{", "[": open.append([])
    case "}", "]": open.removeLast()
    default:
      guard next == ":" else { continue }
      let key = try? JSONSerialization.jsonObject(with: Data(token.utf8), options: .fragmentsAllowed) as? String
      guard let key else { return false }
      if !open[open.count - 1].insert(Array(key.unicodeScalars)).inserted, isDuplicate { return true }
    }
    if open.count > 64, !isDuplicate { return true }
  }
  return false
}

extension String {
  /// The string without byte order marks.
  ///
  /// In JSON, a byte order mark is a character like any other, but Foundation drops it before a
  /// string and after an escape. Strings are compared without these marks.
  fileprivate var withoutMarks: String {
    guard unicodeScalars.contains("\u{feff}") else { return self }
    return String(String.UnicodeScalarView(unicodeScalars.filter { $0 != "\u{feff}" }))
  }
}
