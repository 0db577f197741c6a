/// An error or a warning of the compiler.
struct Diagnostic: CustomStringConvertible {
  var file: String
  var line: Int
  /// The column, or nil in an expectation for any column.
  var column: Int?
  var severity: String
  /// The message, in which an expectation can write `...` once for any text.
  var message: String
  /// The text that the compiler appends to messages of a plugin, such as "(from macro 'ExportService')".
  var origin = ""

  var description: String {
    "\(file):\(line):\(column.map { "\($0):" } ?? "") \(severity): \(message)"
  }

  /// Returns the errors and warnings in the output of the compiler with `-diagnostic-style llvm`.
  ///
  /// An error in the text of an expansion has the position of the macro, which a note after the
  /// error states.
  static func all(in output: String) -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    for line in output.split(separator: "\n") {
      guard [": error: ", ": warning: ", ": note: in expansion of macro"].contains(where: line.contains),
        let match = line.wholeMatch(
          of: /(.+?):(\d+):(\d+): (error|warning|note): (.*?)( \(from macro '[^']*'\))?/)
      else { continue }
      let (file, line, column) = (String(match.1), Int(match.2)!, Int(match.3)!)
      if match.4 != "note" {
        diagnostics.append(
          Diagnostic(
            file: file, line: line, column: column, severity: String(match.4), message: String(match.5),
            origin: String(match.6 ?? "")))
      } else if let last = diagnostics.indices.last, diagnostics[last].file.contains("@__swiftmacro_") {
        (diagnostics[last].file, diagnostics[last].line, diagnostics[last].column) = (file, line, column)
      }
    }
    return diagnostics
  }

  /// Returns a Boolean value that indicates whether a diagnostic meets the expectation.
  func matches(_ actual: Diagnostic) -> Bool {
    guard file == actual.file, line == actual.line, severity == actual.severity,
      column == nil || column == actual.column
    else { return false }
    guard let gap = message.firstRange(of: "...") else { return message == actual.message }
    let (start, end) = (message[..<gap.lowerBound], message[gap.upperBound...])
    return actual.message.count >= start.count + end.count && actual.message.hasPrefix(start)
      && actual.message.hasSuffix(end)
  }
}
