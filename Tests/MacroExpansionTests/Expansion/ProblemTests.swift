import Foundation
import Testing

@testable import MacroExpansion

@Suite struct ProblemTests {
  /// Checks messages that CompileTests does not check.
  @Test func `Messages are complete, with their codes`() {
    let expectations: [(Problem, String)] = [
      (
        .objectFormat("@ExportModule", "COFF"),
        "'@ExportModule' requires the object file format Mach-O or ELF, but the format of this target is 'COFF'; "
          + "exclude it with '#if objectFormat(MachO) || objectFormat(ELF)' and register the type at run time "
          + "[object-format]"
      ),
      (
        .missingFirst(.exportAction),
        "'#exportAction' requires a target and an action, as in "
          + "'#exportAction(\"orders\", \"show\") { (parameters: ShowOrder) in … }' [missing-argument]"
      ),
      (
        .missingPattern,
        "'#pattern' requires one pattern, as in '#pattern(\"shop://order/:id(Int)\")' [missing-argument]"
      ),
      (
        .notAType("@ExportModule", "subscript"),
        "'@ExportModule' cannot be applied to a declaration of kind 'subscript'; apply it to a final class [not-a-type]"
      ),
      (
        .notAType("@ExportService", ""),
        "'@ExportService' cannot be applied to this declaration; "
          + "apply it to a class, struct, actor, or enum [not-a-type]"
      ),
      (
        .inGenericContext("@ExportModule", "A", ""),
        "'@ExportModule' cannot be applied to 'A' in a generic type or constrained extension; move 'A' out of it "
          + "[generic-type]"
      ),
      (
        .inProtocol("@ExportModule", "A", "P"),
        "'@ExportModule' cannot be applied to 'A' in the protocol 'P'; move 'A' out of it [declared-in-protocol]"
      ),
    ]
    for (problem, message) in expectations { #expect(problem.message == message) }
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
    for problem in [Problem.objectFormat("@ExportModule", "COFF"), .unknownMessage("expandNamedMacro")] {
      #expect(page.contains("\nerror: \(problem.message)"), "\(problem.message)")
    }
  }

  private func page() throws -> String {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
    return try String(contentsOf: root.appendingPathComponent("Documentation/Diagnostics.md"), encoding: .utf8)
  }
}
