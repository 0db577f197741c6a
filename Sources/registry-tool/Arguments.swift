package import Registry

struct UsageError: Error, CustomStringConvertible {
  let message: String

  var description: String { "registry-tool: error: \(message) [\(Diagnostic.Code.usage)]" }
}

extension Diagnostic.Code {
  package static let usage: Self = "usage"
}

struct Arguments {
  /// The files, or the codes to explain.
  private(set) var files: [String] = []
  private(set) var wantsHelp = false
  /// A Boolean value that indicates whether libraries that no file links can be in other processes.
  private(set) var isSeparate = false
  /// The values of the options; only the option for registered names can have several.
  private var values: [String: [String]] = [:]
  let format: String

  var architecture: String? { values["--arch"]?[0] }
  var expectation: String? { values["--expect"]?[0] }
  var registered: [String] { values["--registered"] ?? [] }

  init(_ words: some Sequence<String>, of command: Command) throws(UsageError) {
    let isCheck = command == .check
    let options = (isCheck ? ["--expect", "--registered"] : []) + (command == .explain ? [] : ["--format", "--arch"])
    var words = Array(words)[...]
    while let word = words.popFirst(), word != "--" {
      if !word.hasPrefix("-") || word == "-" {
        files.append(word)
      } else if word == "--help" || word == "-h" {
        wantsHelp = true
      } else if word == "--separate", isCheck {
        isSeparate = true
      } else {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let name = parts[0]
        guard options.contains(name) else {
          let all = options + (isCheck ? ["--separate"] : []) + ["--help"]
          throw UsageError(
            message: "unknown option '\(name.escapedForDisplay())'; '\(command.rawValue)' has the options"
              + " \(all.quotedList("and"))\(name.suggestion(in: all))")
        }
        guard let value = parts.count > 1 ? parts[1] : words.popFirst(), !value.isEmpty else {
          throw UsageError(message: "'\(name)' requires a value")
        }
        guard values[name] == nil || name == "--registered" else {
          throw UsageError(message: "'\(name)' is given more than once; pass it once")
        }
        values[name, default: []].append(value)
      }
    }
    // Only files follow two hyphens.
    files += words
    format = values["--format"]?[0] ?? command.formats[0]
    guard wantsHelp || command.formats.contains(format) else {
      throw UsageError(
        message: "unknown format '\(format.escapedForDisplay())'; the formats are \(command.formats.quotedList("and"))"
          + format.suggestion(in: command.formats))
    }
  }
}
