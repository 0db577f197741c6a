/// The nesting that Foundation's XML parser reaches in a property list.
///
/// The type follows the parser's grammar, including its peculiarities, and shares no code with the
/// check of property lists.
struct FoundationXMLDepth {
  private struct Stop: Error {}

  /// The number of levels after which the parser stops, to spare the stack.
  private static let limit = 200

  /// The deepest level.
  private(set) var deepest = 0
  /// A Boolean value that indicates whether the outermost element is complete.
  private(set) var isComplete = false
  private let bytes: [UInt8]
  private var index = 0

  init(_ text: String) {
    bytes = Array(text.utf8)
    do {
      try readDocument()
      isComplete = true
    } catch {}
  }

  private mutating func readDocument() throws {
    while true {
      skipSpaces()
      try read("<")
      if take("!--") {
        try skip(through: "-->")
      } else if take("!") {
        try read("DOCTYPE")
        while !take(">") {
          guard index < bytes.count, bytes[index] != UInt8(ascii: "[") else { throw Stop() }
          index += 1
        }
      } else if take("?") {
        try skip(through: "?>")
      } else {
        return try readElement(level: 1)
      }
    }
  }

  private mutating func readElement(level: Int) throws {
    deepest = max(deepest, level)
    guard level < Self.limit else { throw Stop() }
    let (name, isEmpty) = try readTag()
    switch name {
    case "plist":
      guard !isEmpty, try findElement() else { throw Stop() }
      try readElement(level: level + 1)
      if try findElement() {
        try readElement(level: level + 1)
        throw Stop()
      }
    case "array":
      if isEmpty { return }
      while try findElement() { try readElement(level: level + 1) }
    case "dict":
      if isEmpty { return }
      while try findElement() {
        // The parser ignores that a key is empty.
        guard try readTag().name == "key" else { throw Stop() }
        try readString()
        try readClosingTag("key")
        guard try findElement() else { throw Stop() }
        try readElement(level: level + 1)
      }
    case "key", "string":
      if isEmpty { return }
      try readString()
    case "true", "false":
      if isEmpty { return }
    case "data", "date", "integer", "real":
      guard !isEmpty else { throw Stop() }
      while index < bytes.count, bytes[index] != UInt8(ascii: "<") { index += 1 }
    default: throw Stop()
    }
    try readClosingTag(name)
  }

  /// Moves behind the opening bracket of the next element, or returns false before a closing tag.
  private mutating func findElement() throws -> Bool {
    while true {
      skipSpaces()
      try read("<")
      if index < bytes.count, bytes[index] == UInt8(ascii: "?") {
        // The search starts at the question mark of the opening.
        try skip(through: "?>")
      } else if take("!--") {
        try skip(through: "-->")
      } else if take("!") {
        throw Stop()
      } else if take("/") {
        index -= 2
        return false
      } else {
        return true
      }
    }
  }

  private mutating func readTag() throws -> (name: String, isEmpty: Bool) {
    let delimiters = Array(" \t\n\r/>".utf8)
    guard let end = bytes[index...].firstIndex(where: delimiters.contains),
      let close = bytes[end...].firstIndex(of: UInt8(ascii: ">"))
    else { throw Stop() }
    let name = String(decoding: bytes[index..<end], as: UTF8.self)
    index = close + 1
    return (name, bytes[close - 1] == UInt8(ascii: "/"))
  }

  private mutating func readClosingTag(_ name: String) throws {
    try read("</\(name)")
    skipSpaces()
    try read(">")
  }

  /// Moves to the opening bracket of the closing tag.
  private mutating func readString() throws {
    while index < bytes.count {
      if take("<![CDATA[") {
        try skip(through: "]]>")
      } else if bytes[index] == UInt8(ascii: "<") {
        return
      } else {
        index += 1
      }
    }
  }

  private mutating func skipSpaces() {
    while index < bytes.count, " \t\n\r".utf8.contains(bytes[index]) { index += 1 }
  }

  private mutating func skip(through end: String) throws {
    while !take(end) {
      guard index < bytes.count else { throw Stop() }
      index += 1
    }
  }

  private mutating func take(_ text: String) -> Bool {
    guard bytes[index...].starts(with: text.utf8) else { return false }
    index += text.utf8.count
    return true
  }

  private mutating func read(_ text: String) throws {
    guard take(text) else { throw Stop() }
  }
}
