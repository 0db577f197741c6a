import DiagnosticsPage
import Foundation
import Registry

extension Command {
  static let explain = Command(
    name: "explain", operands: "CODE…", summary: "prints what the code of a message means, and how to fix the problem",
    about: "Prints the section of Documentation/Diagnostics.md about the code that is at the end of a message, with or"
      + " without brackets: the meaning, the message, and the fix.",
    examples: ["registry-tool explain no-service"], status: ", or 2 if a code is unknown."
  ) { arguments in
    for text in try arguments.files.map(section(about:)) { Output.print(text) }
    return .fine
  }

  private static func section(about word: String) throws(UsageError) -> String {
    let code = word.trimmingCharacters(in: ["[", "]"])
    // Each code has a section with a third-level heading. Second-level headings group the sections.
    let sections = String(cString: diagnostics_page()).components(separatedBy: "\n### ")
    let codes = sections.dropFirst().map { $0.prefix { $0 != "\n" }.filter { $0 != "`" } }
    guard let index = codes.firstIndex(of: code) else {
      throw UsageError(
        message: "unknown code '\(code.escapedForDisplay())'; Documentation/Diagnostics.md lists the codes"
          + code.suggestion(in: codes))
    }
    return "### " + sections[index + 1].components(separatedBy: "\n## ")[0]
  }
}
