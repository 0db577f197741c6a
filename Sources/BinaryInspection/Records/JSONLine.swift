import Registry

/// A writer of JSON in one line that escapes characters that can mislead readers of a terminal.
enum JSONLine {
  /// Returns a JSON string with its quotes.
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
        // Escape the same categories of characters as `escapedForDisplay`.
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

  /// Returns a JSON text in one line.
  ///
  /// Members keep their order, and numbers stay as written.
  ///
  /// - Throws: `JSONError` if the text is not valid JSON.
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

  /// Returns the next value of a reader in one line, and the value itself if it is a string.
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

  // The depth of the recursion is limited, because the reader refuses more than 64 nested values.
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
      try reader.array()
      while try reader.element() {
        if !isFirst { line += "," }
        isFirst = false
        try write(try reader.kind(), &reader, &line)
      }
      line += "]"
    case .object:
      line += "{"
      var isFirst = true
      var keys = try reader.object()
      while let key = try reader.key(&keys) {
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
  /// Calls a function with the bytes of the string, and preserves the type of its error.
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
