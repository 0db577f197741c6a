import Foundation
import Registry

/// A JSON value, with the distinctions that the reader makes.
indirect enum Tree {
  case string(String)
  case integer(Int)
  case array([Tree])
  case object([(key: String, value: Tree)])
  /// A literal, or a number that does not fit an integer, which the reader skips.
  case other

  /// Reads a complete object with the calls that the library makes.
  static func object(_ bytes: UnsafeRawBufferPointer) throws(JSONError) -> Tree {
    // Skip the whole object first, so that the code below reads only valid JSON.
    var check = JSONReader(bytes)
    try check.object { reader, _ throws(JSONError) in try reader.skip() }
    try check.end()
    var reader = JSONReader(bytes)
    let tree = try members(&reader)
    try reader.end()
    return tree
  }

  private static func members(_ reader: inout JSONReader) throws(JSONError) -> Tree {
    var members: [(key: String, value: Tree)] = []
    try reader.object { reader, key throws(JSONError) in members.append((key.string, try value(&reader))) }
    return .object(members)
  }

  /// Reads a value by trying each type.
  ///
  /// The reader does not report the type of the next value. It rejects a value of another type at
  /// its first byte.
  private static func value(_ reader: inout JSONReader) throws(JSONError) -> Tree {
    if let text = attempt(&reader, { reader throws(JSONError) in try reader.string() }) { return .string(text) }
    if let number = attempt(&reader, { reader throws(JSONError) in try reader.integer() }) { return .integer(number) }
    if let object = attempt(&reader, { reader throws(JSONError) in try members(&reader) }) { return object }
    let array = attempt(&reader) { reader throws(JSONError) in
      var elements: [Tree] = []
      try reader.array { reader throws(JSONError) in elements.append(try value(&reader)) }
      return Tree.array(elements)
    }
    if let array { return array }
    try reader.skip()
    return .other
  }

  private static func attempt<Value>(
    _ reader: inout JSONReader, _ read: (inout JSONReader) throws(JSONError) -> Value
  ) -> Value? {
    var copy = reader
    do throws(JSONError) {
      let value = try read(&copy)
      reader = copy
      return value
    } catch {
      return nil
    }
  }

  /// The maximum nesting depth of the value.
  var depth: Int {
    switch self {
    case .string, .integer, .other: 0
    case .array(let elements): 1 + (elements.map(\.depth).max() ?? 0)
    case .object(let members): 1 + (members.map(\.value.depth).max() ?? 0)
    }
  }

  /// Returns a Boolean value that indicates whether Foundation read the same value.
  func agrees(with other: Any) -> Bool {
    switch self {
    case .string(let text):
      return (other as? String)?.withoutMarks.isExactly(text.withoutMarks) ?? false
    case .integer(let number):
      return !isBoolean(other) && (other as? NSNumber)?.int64Value == Int64(number)
    case .array(let elements):
      guard let others = other as? [Any], others.count == elements.count else { return false }
      return zip(elements, others).allSatisfy { $0.agrees(with: $1) }
    case .object(let members):
      guard let others = other as? [String: Any] else { return false }
      // Swift's dictionary merges keys that are canonically equivalent, but JSON and the reader
      // distinguish them.
      guard Set(members.map(\.key.withoutMarks)).count == members.count else { return true }
      guard others.count == members.count else { return false }
      return members.allSatisfy { member in
        let key = member.key.withoutMarks
        let place = others.index(forKey: key) ?? others.firstIndex { $0.key.withoutMarks.isExactly(key) }
        guard let place, others[place].key.withoutMarks.isExactly(key) else { return false }
        return member.value.agrees(with: others[place].value)
      }
    case .other:
      guard let number = other as? NSNumber, !isBoolean(number) else { return other is NSNull || isBoolean(other) }
      return Int("\(number)") == nil || isFraction(number)
    }
  }
}
