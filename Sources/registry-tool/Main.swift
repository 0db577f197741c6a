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
    guard let word = words.first else { throw UsageError("missing command; see 'registry-tool --help'") }
    if ["--help", "-h", "help"].contains(word) {
      let about = word == "help" ? words.dropFirst().first { !["--help", "-h"].contains($0) } : nil
      if let about { Output.print(Help.text(of: try command(named: about))) } else { Output.print(Help.all) }
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
      throw UsageError("missing files; see 'registry-tool \(command.rawValue) --help'")
    }
    switch command {
    case .list: return try ListCommand.run(arguments)
    case .check: return try CheckCommand.run(arguments)
    case .graph: return try GraphCommand.run(arguments)
    }
  }

  private static func command(named word: String) throws(UsageError) -> Command {
    if let command = Command(rawValue: word) { return command }
    let names = Command.allCases.map(\.rawValue)
    throw UsageError(
      "unknown \(word.hasPrefix("-") ? "option" : "command") '\(word.escapedForDisplay())'; the commands are"
        + " \(names.quotedList("and"))\(word.suggestion(in: word.hasPrefix("-") ? ["--help", "--version"] : names))")
  }
}

enum Command: String, CaseIterable {
  case list
  case check
  case graph
}

enum ExitStatus: Int32 {
  case fine = 0
  /// The registrations have problems.
  case problems = 1
  /// A file or a part of one cannot be read, or the arguments are invalid.
  case unreadable = 2
}
