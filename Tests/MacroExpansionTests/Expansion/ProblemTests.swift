import Foundation
import Testing

@testable import MacroExpansion

@Suite struct ProblemTests {
  /// Checks messages that CompileTests does not check.
  @Test func `The declaration to which an attribute cannot be applied is named`() {
    for (macro, declaration, message) in [
      ("ExportModule", "subscript(x: Int) -> Int", "a declaration of kind 'subscript'; apply it to a final class"),
      ("ExportService", "", "this declaration; apply it to a class, struct, actor, or enum"),
    ] {
      #expect(
        messages(request(macro, "@\(macro)", on: declaration)) == [
          "'@\(macro)' cannot be applied to \(message) [not-a-type]"
        ])
    }
  }

  @Test func `Each code is in lowercase words with hyphens and has an entry on the page`() throws {
    let lines = try page().components(separatedBy: "\n")
    for code in Problem.Code.allCases {
      #expect(code.rawValue.wholeMatch(of: /[a-z]+(-[a-z]+)*/) != nil)
      #expect(lines.contains("### `\(code.rawValue)`"), "\(code.rawValue)")
    }
  }

  /// Checks the messages on the page that the blocks on the page cannot cause.
  @Test func `The page shows the messages for other targets and other toolchains`() throws {
    let page = try page()
    let module = request("ExportModule", "@ExportModule", on: "final class A {}")
    let unsupported = Problem.unreadableMessage("does not support the compiler's message 'expandNamedMacro'")
    for message in messages(module, Configuration.coff) + [unsupported.message] {
      #expect(page.contains("\nerror: \(message)"), "\(message)")
    }
  }

  private func page() throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
    return try String(contentsOf: root.appendingPathComponent("Documentation/Diagnostics.md"), encoding: .utf8)
  }
}
