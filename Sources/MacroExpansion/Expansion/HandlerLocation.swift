/// The location of a handler in its file.
struct HandlerLocation {
  let module: String
  /// The name of the file as the compiler knows it.
  let file: String
  let line: Int
  /// The name of the handler.
  ///
  /// An example is `Module/File.swift:12:1`. The name contains the column, because a line can
  /// contain several handlers.
  let name: String

  /// Creates the location of a macro.
  ///
  /// - Parameter source: The source of the macro, which begins with the white space and comments
  ///   before the macro. The location of the syntax is that of the beginning of the source.
  init(_ syntax: HostMessage.Syntax, _ source: Source) {
    let location = syntax.location
    let fileID = location?.fileID ?? ""
    module = String(fileID.prefix { $0 != "/" })
    file = location?.fileName ?? ""
    let start = source.tokens.first?.range.lowerBound ?? 0
    let breaks = source.lineBreaks(in: 0..<start)
    line = (location?.line ?? 1) + breaks
    let lineStart = source.bytes[..<start].lastIndex(where: \.isNewline).map { $0 + 1 }
    let column = lineStart.map { start - $0 + 1 } ?? ((location?.column ?? 1) + start)
    name = "\(fileID):\(line):\(column)"
  }

  /// Returns a statement for which the compiler reports errors and lines in the user's file.
  ///
  /// If the name of the file would need escapes, which the directive does not allow, the statement
  /// has no location.
  func inUsersFile(_ statement: String, skipping lines: Int) -> String {
    isPlain
      ? "#sourceLocation(file: \"\(file)\", line: \(line + lines))\n\(statement)\n#sourceLocation()"
      : "\n\(statement)\n"
  }

  private var isPlain: Bool {
    !file.isEmpty && file.unicodeScalars.allSatisfy { $0 != "\"" && $0 != "\\" && $0.value >= 0x20 && $0.value != 0x7f }
  }
}
