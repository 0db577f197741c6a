package import Registry

/// A writer of one-line JSON that escapes control characters and other invisible characters.
package enum JSONLine {
  package static func text(_ text: String) -> String {
    var line = "\""
    line.reserveCapacity(text.utf8.count + 2)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": line += "\\\""
      case "\\": line += "\\\\"
      case "\n": line += "\\n"
      case " "..."~": line.unicodeScalars.append(scalar)
      case _ where String(scalar).escapedForDisplay() == String(scalar): line.unicodeScalars.append(scalar)
      default:
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          line += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      }
    }
    return line + "\""
  }

  /// Returns JSON on one line. Members keep their order, and numbers stay as written.
  package static func normalized(_ json: String) throws(JSONError) -> String {
    try Array(json.utf8).withJSONReader { reader throws(JSONError) in
      let line = try value(&reader)
      try reader.end()
      return line
    }
  }

  /// Returns a reader's next value on one line. The recursion is bounded, because the reader
  /// rejects more than 64 levels of nesting.
  package static func value(_ reader: inout JSONReader) throws(JSONError) -> String {
    var elements: [String] = []
    switch try reader.kind() {
    case .string: return text(try reader.string())
    case .number: return try reader.numeral()
    case .boolean(let value): return value ? "true" : "false"
    case .null: return "null"
    case .array:
      try reader.array()
      while try reader.element() { elements.append(try value(&reader)) }
      return "[\(elements.joined(separator: ","))]"
    case .object:
      var keys = try reader.object()
      while let key = try reader.key(&keys) { elements.append("\(text(key.string)):\(try value(&reader))") }
      return "{\(elements.joined(separator: ","))}"
    }
  }
}

extension [UInt8] {
  package func withJSONReader<Result>(
    _ body: (inout JSONReader) throws(JSONError) -> Result
  ) throws(JSONError) -> Result {
    try withUnsafeBufferPointer { bytes throws(JSONError) in
      var reader = JSONReader(UnsafeRawBufferPointer(bytes))
      return try body(&reader)
    }
  }
}
