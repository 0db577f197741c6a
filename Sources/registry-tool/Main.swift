import BinaryInspection
import DiagnosticsPage
import Foundation
import Registry

/// The command-line tool that lists, checks, and draws the registrations of binaries.
@main @MainActor struct RegistryTool {
  static func main() {
    let status: ExitStatus
    do {
      status = try run(Array(CommandLine.arguments.dropFirst()))
    } catch {
      Output.error("\(error)")
      status = .unreadable
    }
    Output.flush()
    exit(status.rawValue)
  }

  static func run(_ words: [String]) throws(UsageError) -> ExitStatus {
    guard let word = words.first else { throw UsageError(message: "missing command; see 'registry-tool --help'") }
    if ["--help", "-h", "help"].contains(word) {
      let about = word == "help" ? words.dropFirst().first { !["--help", "-h"].contains($0) } : nil
      Output.print(
        try about.map { name throws(UsageError) in Help.text(of: try Self.command(named: name)) } ?? Help.all)
      return .fine
    }
    if word == "--version" {
      Output.print("registry-tool \(Version.current)")
      return .fine
    }
    let command = try command(named: word)
    let arguments = try Arguments(words.dropFirst(), of: command)
    if arguments.wantsHelp {
      Output.print(Help.text(of: command))
      return .fine
    }
    guard !arguments.files.isEmpty else {
      let what = command == .explain ? "codes" : "files"
      throw UsageError(message: "missing \(what); see 'registry-tool \(command.rawValue) --help'")
    }
    if command == .explain {
      for text in try arguments.files.map(explanation) { Output.print(text) }
      return .fine
    }
    let inspection = Inspection(
      of: arguments.files, architecture: arguments.architecture, readsClasses: command != .list)
    switch command {
    case .list:
      if arguments.format == "json" { inspection.writeList(Output.write) } else { Table.print(inspection) }
      return report(inspection.problems)
    case .check: return check(inspection, arguments)
    case .graph:
      inspection.writeGraph(GraphFormat(rawValue: arguments.format) ?? .dot, Output.write)
      // The graph shows other problems, such as needs that nothing satisfies.
      let notes = inspection.check().filter {
        $0.severity == .note
          && [.featureCycle, .unusedService, .unusedContribution, .nothingSelected].contains($0.code)
      }
      return report(inspection.problems.filter { $0.code != .unreadClasses } + notes)
    case .explain: return .fine
    }
  }

  /// Returns the section about a code in Documentation/Diagnostics.md.
  private static func explanation(_ word: String) throws(UsageError) -> String {
    let code = word.trimmingCharacters(in: ["[", "]"])
    // Sections about codes have third-level headings, which second-level headings group.
    let sections = String(cString: diagnostics_page()).components(separatedBy: "\n### ")
    let codes = sections.dropFirst().map { $0.prefix { $0 != "\n" }.filter { $0 != "`" } }
    guard let index = codes.firstIndex(of: code) else {
      throw UsageError(
        message: "unknown code '\(code.escapedForDisplay())'; Documentation/Diagnostics.md lists the codes"
          + code.suggestion(in: codes))
    }
    return "### " + sections[index + 1].components(separatedBy: "\n## ")[0]
  }

  private static func command(named word: String) throws(UsageError) -> Command {
    if let command = Command(rawValue: word) { return command }
    let names = Command.allCases.map(\.rawValue)
    throw UsageError(
      message: "unknown \(word.hasPrefix("-") ? "option" : "command") '\(word.escapedForDisplay())'; the commands are"
        + " \(names.quotedList("and"))\(word.suggestion(in: word.hasPrefix("-") ? ["--help", "--version"] : names))")
  }

  private static func check(_ inspection: Inspection, _ arguments: Arguments) -> ExitStatus {
    var problems: [InspectionProblem] = []
    var expected: ExpectedRecords?
    do {
      expected = try arguments.expectation.map { path throws(InspectionProblem) in try ExpectedRecords(path: path) }
    } catch {
      problems.append(error)
    }
    problems += inspection.check(
      expecting: expected, librariesAreSeparate: arguments.isSeparate, registered: arguments.registered)
    let (found, unreadable) = (
      problems.count { $0.severity == .problem }, problems.count { $0.severity == .unreadable }
    )
    if arguments.format == "json" {
      inspection.writeReport(problems, Output.write)
    } else {
      for problem in problems { Output.error("\(problem)") }
      Output.print(
        "\(inspection.recordCount.counted("record")) in \(inspection.images.count.counted("image")):"
          + " \(found == 0 ? "no problems" : found.counted("problem"))"
          + (unreadable == 0 ? "" : "; \(unreadable) could not be read"))
    }
    return unreadable > 0 ? .unreadable : found > 0 ? .problems : .fine
  }

  private static func report(_ problems: [InspectionProblem]) -> ExitStatus {
    for problem in problems { Output.error(problem.severity == .problem ? problem.line("warning") : "\(problem)") }
    return problems.contains { $0.severity == .unreadable } ? .unreadable : .fine
  }
}

enum Command: String, CaseIterable {
  case list
  case check
  case graph
  case explain

  /// The values of the option for the format, beginning with the default.
  var formats: [String] {
    switch self {
    case .list: ["table", "json"]
    case .check: ["text", "json"]
    case .graph: GraphFormat.allCases.map(\.rawValue)
    case .explain: ["text"]
    }
  }
}

enum ExitStatus: Int32 {
  case fine = 0
  /// The registrations have problems.
  case problems = 1
  /// A file or a part of one cannot be read, or the arguments are invalid.
  case unreadable = 2
}
