import Registry

/// A command of the tool, with the function that runs it.
///
/// The tool uses the command's properties to parse arguments and to print usage and help.
struct Command {
  let name: String
  /// The placeholders for the arguments in the usage, such as `FILE…`.
  var operands = "FILE…"
  /// The text after the name in the tool's help.
  let summary: String
  let about: String
  var options: [Option] = []
  let examples: [String]
  /// The help's description of the nonzero exit statuses.
  let status: String
  /// The function that runs the command. The tool prints any error that the function throws.
  let run: @MainActor (Arguments) throws -> ExitStatus

  /// The commands in the order that the help lists them.
  static let all: [Command] = [.list, .check, .graph, .report, .diff, .budget, .explain]

  static func named(_ word: String) throws(UsageError) -> Command {
    if let command = all.first(where: { $0.name == word }) { return command }
    let names = all.map(\.name)
    throw UsageError(
      message: "unknown \(word.hasPrefix("-") ? "option" : "command") '\(word.escapedForDisplay())'; the commands are"
        + " \(names.quotedList("and"))\(word.suggestion(in: word.hasPrefix("-") ? ["--help", "--version"] : names))")
  }
}

struct Option {
  let name: String
  /// The placeholder for the value in the help; nil for an option without a value.
  var value: String? = nil
  /// The permitted values, beginning with the default; empty if all values are permitted.
  var choices: [String] = []
  var isRepeatable = false
  let help: String

  static func format(_ choices: [String], _ help: String) -> Option {
    Option(name: "--format", value: "FORMAT", choices: choices, help: help)
  }

  static let architecture = Option(
    name: "--arch", value: "ARCH", help: "read only this slice of universal files: arm64, x86_64, …")
  static let registered = Option(
    name: "--registered", value: "NAME", isRepeatable: true,
    help: "the service, route, or module is registered in code, which the tool cannot see, so code can need it; you"
      + " can repeat the option")
  static let separate = Option(
    name: "--separate",
    help: "a library that no file links, or an archive, can belong to another process, so that its copy of the library,"
      + " or an object that no file contains, is a note, not a problem")
}

enum ExitStatus: Int32 {
  case fine = 0
  /// The check found problems, a change is breaking, or a limit is exceeded.
  case problems = 1
  /// A file or part of a file can't be read or written, or the arguments are invalid.
  case unreadable = 2
}
