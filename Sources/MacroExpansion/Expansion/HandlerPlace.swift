/// Where a handler stands in its file.
struct HandlerPlace {
  let module: String
  /// The file as the compiler calls it.
  let file: String
  let line: Int
  /// What the handler is known by: `Module/File.swift:12:1`. With the column, as a line may have several.
  let name: String

  /// - Parameter source: The macro as it stands there. What its location is that of begins with white space and comments.
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

  /// A statement that is in the user's file, so that errors and `#line` in it are those of that file.
  ///
  /// Not where the file's name would need escapes, which may not stand there.
  func inUsersFile(_ statement: String, skipping lines: Int) -> String {
    isPlain
      ? "#sourceLocation(file: \"\(file)\", line: \(line + lines))\n\(statement)\n#sourceLocation()"
      : "\n\(statement)\n"
  }

  private var isPlain: Bool {
    !file.isEmpty && file.unicodeScalars.allSatisfy { $0 != "\"" && $0 != "\\" && $0.value >= 0x20 && $0.value != 0x7f }
  }
}
