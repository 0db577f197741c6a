import Registry

/// A writer of JSON in one line, which escapes characters that can mislead readers of a terminal.
enum JSONLine {
  /// An object of texts.
  static func object(_ members: [(String, String)]) -> String {
    "{" + members.map { "\(text($0)):\(text($1))" }.joined(separator: ",") + "}"
  }

  /// A string with its quotes.
  static func text(_ text: String) -> String {
    var line = "\""
    line.reserveCapacity(text.utf8.count + 2)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": line += "\\\""
      case "\\": line += "\\\\"
      case "\n": line += "\\n"
      case " "..."~": line.unicodeScalars.append(scalar)
      default:
        // What `escapedForDisplay` would write out is written out here as well.
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator:
          for unit in String(scalar).utf16 {
            let digits = String(unit, radix: 16)
            line += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
          }
        default: line.unicodeScalars.append(scalar)
        }
      }
    }
    return line + "\""
  }

  /// Returns a JSON text in one line, with its members in order and its numbers as written.
  ///
  /// - Throws: If it is none.
  static func normalized(_ json: String) throws(JSONError) -> String {
    var json = json
    return try json.withUTF8Bytes { bytes throws(JSONError) in
      var reader = JSONReader(bytes)
      var line = ""
      try write(try reader.kind(), &reader, &line)
      try reader.end()
      return line
    }
  }

  /// Returns the next value of a reader in one line, and its string if it is one.
  static func next(_ reader: inout JSONReader) throws(JSONError) -> (text: String, string: String?) {
    let kind = try reader.kind()
    if case .string = kind {
      let string = try reader.string()
      return (text(string), string)
    }
    var line = ""
    try write(kind, &reader, &line)
    return (line, nil)
  }

  // As deep as the reader goes, which is 64.
  private static func write(
    _ kind: JSONKind, _ reader: inout JSONReader, _ line: inout String
  ) throws(JSONError) {
    switch kind {
    case .string: line += text(try reader.string())
    case .number: line += try reader.numeral()
    case .boolean(let value): line += value ? "true" : "false"
    case .null: line += "null"
    case .array:
      line += "["
      var isFirst = true
      try reader.array { reader throws(JSONError) in
        if !isFirst { line += "," }
        isFirst = false
        try write(try reader.kind(), &reader, &line)
      }
      line += "]"
    case .object:
      line += "{"
      var isFirst = true
      try reader.object { reader, key throws(JSONError) in
        if !isFirst { line += "," }
        isFirst = false
        line += text(key.string) + ":"
        try write(try reader.kind(), &reader, &line)
      }
      line += "}"
    }
  }
}

extension String {
  /// Its bytes, for a reader with typed errors.
  mutating func withUTF8Bytes<Result>(
    _ body: (UnsafeRawBufferPointer) throws(JSONError) -> Result
  ) throws(JSONError) -> Result {
    let result = withUTF8 { bytes -> Swift.Result<Result, JSONError> in
      do throws(JSONError) {
        return .success(try body(UnsafeRawBufferPointer(bytes)))
      } catch {
        return .failure(error)
      }
    }
    return try result.get()
  }
}
