/// A JSON value in a message from the compiler.
///
/// The plugin doesn't use Foundation's decoder, because it would slow down each clean build of an
/// app: the build would compile Foundation's C modules and, in debug, index its interface. The
/// parser accepts some text that isn't JSON, such as unknown words and control characters.
enum JSONValue {
  case object([String: JSONValue])
  case array([JSONValue])
  case string(String)
  /// A number, a Boolean value, null, or any other unquoted word.
  case word(String)

  /// Parses text, or returns nil if it isn't a single value or has more than a hundred levels.
  init?(_ text: some Sequence<UInt8>) {
    var parser = JSONParser(text: Array(text))
    guard let value = parser.value(levels: 100), parser.next() == nil else { return nil }
    self = value
  }

  var string: String? { if case .string(let string) = self { string } else { nil } }
  var integer: Int? { if case .word(let word) = self { Int(word) } else { nil } }
  var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }
  var members: [String: JSONValue] { if case .object(let members) = self { members } else { [:] } }

  /// The value of a member, or null if there is no such member.
  subscript(key: String) -> JSONValue { members[key] ?? .word("null") }
}

private struct JSONParser {
  let text: [UInt8]
  var index = 0

  /// Returns the next byte that isn't white space or a control character, without consuming it.
  mutating func next() -> UInt8? {
    while index < text.count, text[index] <= UInt8(ascii: " ") { index += 1 }
    return index < text.count ? text[index] : nil
  }

  private mutating func consume(_ character: Unicode.Scalar) -> Bool {
    guard next() == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }

  /// - Parameter levels: The number of levels that the value can have, which limits the recursion.
  mutating func value(levels: Int) -> JSONValue? {
    guard levels > 0, let first = next() else { return nil }
    switch first {
    case UInt8(ascii: "{"):
      var members: [String: JSONValue] = [:]
      let isComplete = list(upTo: "}") { parser in
        guard let key = parser.string(), parser.consume(":") else { return false }
        members[key] = parser.value(levels: levels - 1)
        return members[key] != nil
      }
      return isComplete ? .object(members) : nil
    case UInt8(ascii: "["):
      var elements: [JSONValue] = []
      let isComplete = list(upTo: "]") { parser in
        guard let element = parser.value(levels: levels - 1) else { return false }
        elements.append(element)
        return true
      }
      return isComplete ? .array(elements) : nil
    case UInt8(ascii: "\""):
      return string().map { .string($0) }
    default:
      let word = text[index...].prefix { !",:]} \t\r\n".utf8.contains($0) }
      index = word.endIndex
      return word.isEmpty ? nil : .word(String(decoding: word, as: UTF8.self))
    }
  }

  private mutating func list(upTo end: Unicode.Scalar, _ consumeElement: (inout JSONParser) -> Bool) -> Bool {
    index += 1
    if consume(end) { return true }
    repeat {
      guard consumeElement(&self) else { return false }
    } while consume(",")
    return consume(end)
  }

  private mutating func string() -> String? {
    guard consume("\"") else { return nil }
    let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
    var units: [UInt8] = []
    while index < text.count {
      let byte = text[index]
      index += 1
      if byte == quote { return String(decoding: units, as: UTF8.self) }
      if byte != backslash {
        units.append(byte)
      } else if index < text.count, text[index] != UInt8(ascii: "u") {
        units.append(Self.controls[text[index]] ?? text[index])
        index += 1
      } else if let characters = codeUnits() {
        units += Array(String(decoding: characters, as: UTF16.self).utf8)
      } else {
        return nil
      }
    }
    return nil
  }

  private static let controls = [
    UInt8(ascii: "b"): UInt8(0x08), UInt8(ascii: "f"): 0x0C, UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D,
    UInt8(ascii: "t"): 0x09,
  ]

  /// Returns the code units of consecutive `\u` sequences. Two of them can be one character.
  private mutating func codeUnits() -> [UInt16]? {
    var units: [UInt16] = []
    index -= 1
    while text[index...].starts(with: "\\u".utf8) {
      let digits = String(decoding: text[(index + 2)...].prefix(4), as: UTF8.self)
      guard let unit = UInt16(digits, radix: 16) else { return nil }
      units.append(unit)
      index = min(index + 6, text.count)
    }
    return units.isEmpty ? nil : units
  }
}
