import Lifecycle
import Registry

/// An error that explains why bytes are not a manifest.
struct ManifestSyntaxError: Error {
  let message: String

  /// Returns the error for a property list with a problem, such as "nesting deeper than 64".
  static func propertyList(_ problem: String) -> ManifestSyntaxError {
    ManifestSyntaxError(message: "it is a property list with \(problem); run 'plutil -lint' for details")
  }
}

/// A reader of JSON and property lists that rejects oversized or deeply nested input.
enum ManifestSyntax {
  /// The maximum size of a manifest in bytes. ``PropertyListReader`` also limits shared values.
  static let sizeLimit = 4 << 20

  static func value(of bytes: [UInt8]) throws(ManifestSyntaxError) -> PropertyValue {
    guard bytes.count <= sizeLimit else {
      throw ManifestSyntaxError(message: "its size of \(bytes.count) bytes exceeds the limit of \(sizeLimit) bytes")
    }
    let bytes = bytes.starts(with: [0xef, 0xbb, 0xbf]) ? Array(bytes[3...]) : bytes
    if bytes.starts(with: "bplist00".utf8) { return try PropertyListReader.value(of: bytes) }
    switch bytes.first(where: { ![0x20, 0x09, 0x0a, 0x0d].contains($0) }) {
    case nil: throw ManifestSyntaxError(message: "it is empty; the shortest manifest is '{}'")
    case UInt8(ascii: "<"): return try PropertyListReader.value(of: bytes)
    case UInt8(ascii: "{"), UInt8(ascii: "["): return try json(bytes)
    default:
      let hint = bytes.prefix(2).contains(0) || bytes.starts(with: [0xff, 0xfe]) || bytes.starts(with: [0xfe, 0xff])
      throw ManifestSyntaxError(
        message: "it is neither JSON, which begins with '{' or '[', nor a property list, which begins with '<' or"
          + " 'bplist'"
          + (hint ? "; if it is UTF-16, save it as UTF-8" : ""))
    }
  }

  private static func json(_ bytes: [UInt8]) throws(ManifestSyntaxError) -> PropertyValue {
    do throws(JSONError) {
      return try bytes.withUnsafeBufferPointer { bytes throws(JSONError) in
        var reader = JSONReader(UnsafeRawBufferPointer(bytes))
        let value = try value(&reader)
        try reader.end()
        return value
      }
    } catch {
      throw ManifestSyntaxError(message: "\(error)\(line(of: error.offset, in: bytes))")
    }
  }

  /// Returns the line of an offset in the form that messages append: ` (line 3)`.
  static func line(of offset: Int, in bytes: [UInt8]) -> String {
    " (line \(bytes.prefix(offset).count { $0 == UInt8(ascii: "\n") } + 1))"
  }

  private static func value(_ reader: inout JSONReader) throws(JSONError) -> PropertyValue {
    switch try reader.kind() {
    case .null: return .null
    case .boolean(let truth): return .bool(truth)
    case .string: return .string(try reader.string())
    case .number:
      let text = try reader.numeral()
      if let integer = Int64(text) { return .integer(integer) }
      guard let number = Double(text), number.isFinite else {
        throw reader.error("number '\(text.escapedForDisplay(limit: 40))' out of range")
      }
      return .double(number)
    case .array:
      var list: [PropertyValue] = []
      try reader.array()
      while try reader.element() { list.append(try value(&reader)) }
      return .array(list)
    case .object:
      var members: [String: PropertyValue] = [:]
      var keys = try reader.object()
      while let key = try reader.key(&keys) {
        // The reader compares bytes, so it accepts keys that differ only in their normalization.
        let name = key.string
        if members[name] != nil { throw reader.error("duplicate key '\(name.escapedForDisplay())'") }
        members[name] = try value(&reader)
      }
      return .dictionary(members)
    }
  }
}
