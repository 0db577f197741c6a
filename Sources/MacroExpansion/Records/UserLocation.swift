/// A position in the user's file where the compiler can report errors in an expansion.
struct UserLocation: Equatable {
  let file: String
  let line: Int
  let column: Int

  /// - Parameters:
  ///   - offset: The offset of the position, which must be less than the size of the source.
  ///   - source: The source, including the white space and comments before the syntax.
  ///   - location: The location where the source begins.
  init(of offset: Int, in source: Source, at location: MacroRequest.Location?) {
    file = location?.fileName ?? ""
    let bytes = source.bytes
    let breaks = (0..<offset).count { bytes[$0] == 10 || bytes[$0] == 13 && bytes[$0 + 1] != 10 }
    line = (location?.line ?? 1) + breaks
    let lineStart = bytes[..<offset].lastIndex(where: \.isNewline).map { $0 + 1 }
    column = lineStart.map { offset - $0 + 1 } ?? ((location?.column ?? 1) + offset)
  }

  /// Returns statements, at the location's line if the file name is known and needs no escapes.
  func statements(_ text: String) -> String {
    isPlain ? "\(directive(line))\n\(text)\n#sourceLocation()" : "\n\(text)\n"
  }

  /// Returns a `return` statement for a call. The compiler reports errors at the location.
  func `return`(_ call: String) -> String {
    placing(call, after: "return unsafe (", before: ")")
  }

  /// Returns a statement with one part at the location, or as close to it as possible.
  ///
  /// - Parameters:
  ///   - part: The part of the statement at the location.
  ///   - offset: The number of the part's bytes that precede the location.
  ///   - opening: The beginning of the statement, on a separate line if possible.
  ///   - closing: The end of the statement.
  func placing(_ part: String, offset: Int = 0, after opening: String, before closing: String = "") -> String {
    guard isPlain, line > 1 else { return statements(opening + part + closing) }
    let indentation = String(repeating: " ", count: max(0, column - 1 - offset))
    return "\(directive(line - 1))\n\(opening)\n\(indentation)\(part)\(closing)\n#sourceLocation()"
  }

  private func directive(_ line: Int) -> String { "#sourceLocation(file: \"\(file)\", line: \(line))" }

  private var isPlain: Bool {
    !file.isEmpty && file.unicodeScalars.allSatisfy { $0 != "\"" && $0 != "\\" && $0.value >= 0x20 && $0.value != 0x7f }
  }
}
