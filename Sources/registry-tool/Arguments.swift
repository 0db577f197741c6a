package import Registry

/// An error in the arguments, with a message that describes the correct use.
struct UsageError: Error, CustomStringConvertible {
  let message: String

  init(_ message: String) {
    self.message = message
  }

  var description: String { "registry-tool: error: \(message) [\(Diagnostic.Code.usage)]" }
}

extension Diagnostic.Code {
  /// Arguments that the tool does not accept.
  package static let usage: Self = "usage"
}

/// The arguments of a command.
struct Arguments {
  private(set) var files: [String] = []
  private(set) var wantsHelp = false
  /// A Boolean value that indicates whether libraries that no file links can be in other processes.
  private(set) var isSeparate = false
  /// The names of the services, modules, and routes that code registers.
  private(set) var registered: [String] = []
  private var values: [String: String] = [:]

  /// Returns the options of a command that have a value.
  private static func options(of command: Command) -> [String] {
    switch command {
    case .list, .graph: ["--format", "--arch"]
    case .check: ["--expect", "--registered", "--format", "--arch"]
    }
  }

  /// Returns the options of a command that have no value.
  private static func flags(of command: Command) -> [String] { (command == .check ? ["--separate"] : []) + ["--help"] }

  init(_ words: some Sequence<String>, of command: Command) throws(UsageError) {
    let options = Self.options(of: command)
    var awaited: String?
    var takesOptions = true
    for word in words {
      if let option = awaited {
        try set(option, word)
        awaited = nil
      } else if !takesOptions || !word.hasPrefix("-") || word == "-" {
        files.append(word)
      } else if word == "--" {
        takesOptions = false
      } else if word == "--help" || word == "-h" {
        wantsHelp = true
      } else if word == "--separate", command == .check {
        isSeparate = true
      } else {
        let end = word.firstIndex(of: "=")
        let name = String(word[..<(end ?? word.endIndex)])
        guard options.contains(name) else {
          let all = options + Self.flags(of: command)
          throw UsageError(
            "unknown option '\(name.escapedForDisplay())'; '\(command.rawValue)' has the options"
              + " \(all.quotedList("and"))\(name.suggestion(in: all))")
        }
        if let end { try set(name, String(word[word.index(after: end)...])) } else { awaited = name }
      }
    }
    if let option = awaited { throw UsageError("'\(option)' requires a value") }
  }

  private mutating func set(_ option: String, _ value: String) throws(UsageError) {
    guard !value.isEmpty else { throw UsageError("'\(option)' requires a value") }
    if option == "--registered" { return registered.append(value) }
    guard values.updateValue(value, forKey: option) == nil else {
      throw UsageError("'\(option)' is given more than once; pass it once")
    }
  }

  var architecture: String? { values["--arch"] }
  var expectation: String? { values["--expect"] }

  /// Returns the value of the format option; the first format if the option is missing.
  func format<Format: RawRepresentable<String> & CaseIterable>(_: Format.Type) throws(UsageError) -> Format {
    let all = Array(Format.allCases)
    guard let text = values["--format"] else { return all[0] }
    guard let format = Format(rawValue: text) else {
      let names = all.map(\.rawValue)
      throw UsageError(
        "unknown format '\(text.escapedForDisplay())'; the formats are \(names.quotedList("and"))\(text.suggestion(in: names))"
      )
    }
    return format
  }
}
