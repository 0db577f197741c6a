import Lifecycle
import Registry

/// Reads a property list in XML: the few elements that it may have, and of XML no more than these need.
///
/// No document type is looked at, so there are no entities but XML's own five and numbers.
struct XMLPropertyList {
  private let bytes: [UInt8]
  private var offset = 0
  private var depth = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// A tag, without its attributes.
  private struct Tag {
    enum Kind {
      case opening
      case closing
      case empty
    }

    let name: String
    let kind: Kind

    /// As messages show it.
    var shown: String { (kind == .closing ? "</" : "<") + name.escapedForDisplay(limit: 40) + ">" }
  }

  mutating func document() throws(ManifestSyntaxError) -> PropertyValue {
    let root = try tag()
    guard root.name == "plist", root.kind == .opening else {
      throw error("\(root.shown) where <plist> is expected")
    }
    let value = try value(try tag())
    try close("plist")
    try skipSpace()
    if offset < bytes.count { throw error("something behind </plist>") }
    return value
  }

  private func error(_ what: String) -> ManifestSyntaxError {
    ManifestSyntaxError(
      message: "it is a property list in XML with \(what)\(ManifestSyntax.line(of: offset, in: bytes));"
        + " `plutil -lint` says more")
  }

  // MARK: - Values

  private mutating func value(_ tag: Tag) throws(ManifestSyntaxError) -> PropertyValue {
    guard tag.kind != .closing else { throw error("\(tag.shown) where a value is expected") }
    let isEmpty = tag.kind == .empty
    switch tag.name {
    case "true", "false":
      if !isEmpty { try close(tag.name) }
      return .bool(tag.name == "true")
    case "string": return .string(isEmpty ? "" : try text("string"))
    case "integer":
      let text = isEmpty ? "" : try text("integer")
      guard let integer = Self.integer(text.trimmed) else {
        throw error("\"\(text.escapedForDisplay(limit: 40))\" where an integer of 64 bits is expected")
      }
      return .integer(integer)
    case "real":
      let text = isEmpty ? "" : try text("real")
      guard let number = Double(text.trimmed), number.isFinite else {
        throw error("\"\(text.escapedForDisplay(limit: 40))\" where a number is expected")
      }
      return .double(number)
    case "array": return isEmpty ? .array([]) : try nested { reader throws(ManifestSyntaxError) in try reader.array() }
    case "dict":
      return isEmpty ? .dictionary([:]) : try nested { reader throws(ManifestSyntaxError) in try reader.dictionary() }
    case "date", "data":
      throw error("<\(tag.name)>, which no setting can be: write it as a <string>")
    default: throw error("\(tag.shown), which no property list has")
    }
  }

  private static func integer(_ text: String) -> Int? {
    text.hasPrefix("0x") || text.hasPrefix("0X") ? Int(text.dropFirst(2), radix: 16) : Int(text)
  }

  private mutating func nested(
    _ body: (inout XMLPropertyList) throws(ManifestSyntaxError) -> PropertyValue
  ) throws(ManifestSyntaxError) -> PropertyValue {
    depth += 1
    guard depth <= ManifestSyntax.depthLimit else { throw error("nesting deeper than \(ManifestSyntax.depthLimit)") }
    let value = try body(&self)
    depth -= 1
    return value
  }

  private mutating func array() throws(ManifestSyntaxError) -> PropertyValue {
    var list: [PropertyValue] = []
    while true {
      let tag = try tag()
      if tag.kind == .closing, tag.name == "array" { return .array(list) }
      list.append(try value(tag))
    }
  }

  private mutating func dictionary() throws(ManifestSyntaxError) -> PropertyValue {
    var members: [String: PropertyValue] = [:]
    while true {
      let tag = try tag()
      if tag.kind == .closing, tag.name == "dict" { return .dictionary(members) }
      guard tag.name == "key", tag.kind != .closing else {
        throw error("\(tag.shown) where <key> is expected")
      }
      let key = tag.kind == .empty ? "" : try text("key")
      guard members[key] == nil else {
        throw error("the key \"\(key.escapedForDisplay())\" for the second time")
      }
      members[key] = try value(try self.tag())
    }
  }

  // MARK: - Pieces

  private func hasPrefix(_ text: StaticString) -> Bool {
    bytes[offset...].starts(with: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Goes behind the next place where a text stands.
  private mutating func skip(past text: StaticString) throws(ManifestSyntaxError) {
    while offset < bytes.count {
      if hasPrefix(text) {
        offset += text.utf8CodeUnitCount
        return
      }
      offset += 1
    }
    throw error("no \"\(text)\" before its end")
  }

  /// Skips space, comments, instructions and the document type.
  private mutating func skipSpace() throws(ManifestSyntaxError) {
    while offset < bytes.count {
      if [0x20, 0x09, 0x0a, 0x0d].contains(bytes[offset]) {
        offset += 1
      } else if hasPrefix("<!--") {
        offset += 4
        try skip(past: "-->")
      } else if hasPrefix("<?") {
        try skip(past: "?>")
      } else if hasPrefix("<!DOCTYPE") {
        try skip(past: ">")
      } else {
        return
      }
    }
  }

  private mutating func tag() throws(ManifestSyntaxError) -> Tag {
    try skipSpace()
    guard offset < bytes.count else { throw error("an end before its time") }
    guard bytes[offset] == UInt8(ascii: "<") else { throw error("text where a tag is expected") }
    offset += 1
    let isClosing = offset < bytes.count && bytes[offset] == UInt8(ascii: "/")
    if isClosing { offset += 1 }
    let start = offset
    let ends: [UInt8] = [0x20, 0x09, 0x0a, 0x0d, UInt8(ascii: "/"), UInt8(ascii: ">")]
    while offset < bytes.count, !ends.contains(bytes[offset]) { offset += 1 }
    let name = String(decoding: bytes[start..<offset], as: UTF8.self)
    try skip(past: ">")
    let isEmpty = !isClosing && bytes[offset - 2] == UInt8(ascii: "/")
    return Tag(name: name, kind: isClosing ? .closing : isEmpty ? .empty : .opening)
  }

  private mutating func close(_ name: String) throws(ManifestSyntaxError) {
    let tag = try tag()
    guard tag.kind == .closing, tag.name == name else {
      throw error("\(tag.shown) where </\(name)> is expected")
    }
  }

  /// Reads an element's text up to behind its closing tag.
  private mutating func text(_ name: String) throws(ManifestSyntaxError) -> String {
    var text: [UInt8] = []
    while offset < bytes.count {
      switch bytes[offset] {
      case UInt8(ascii: "&"): text += String(try entity()).utf8
      case UInt8(ascii: "<"):
        if hasPrefix("<!--") {
          try skip(past: "-->")
        } else if hasPrefix("<![CDATA[") {
          offset += 9
          let start = offset
          try skip(past: "]]>")
          text += bytes[start..<(offset - 3)]
        } else {
          let string = String(decoding: text, as: UTF8.self)
          // What is not UTF-8 is repaired, and differs then.
          guard string.utf8.elementsEqual(text) else { throw error("text that is not UTF-8") }
          try close(name)
          return string
        }
      default:
        text.append(bytes[offset])
        offset += 1
      }
    }
    throw error("no </\(name)> before its end")
  }

  private mutating func entity() throws(ManifestSyntaxError) -> Unicode.Scalar {
    let start = offset + 1
    let end = bytes[start...].prefix(12).firstIndex(of: UInt8(ascii: ";"))
    guard let end else { throw error("\"&\" by itself; write &amp;") }
    let name = String(decoding: bytes[start..<end], as: UTF8.self)
    let scalar: Unicode.Scalar? =
      switch name {
      case "amp": "&"
      case "lt": "<"
      case "gt": ">"
      case "quot": "\""
      case "apos": "'"
      case _ where name.hasPrefix("#x"): UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
      case _ where name.hasPrefix("#"): UInt32(name.dropFirst(1)).flatMap(Unicode.Scalar.init)
      default: nil
      }
    guard let scalar else { throw error("the unknown entity &\(name.escapedForDisplay());") }
    offset = end + 1
    return scalar
  }
}

extension String {
  /// Without space around it.
  fileprivate var trimmed: String {
    String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}
