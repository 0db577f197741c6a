package import Registry

struct UsageError: Error, CustomStringConvertible {
  let message: String

  var description: String { "registry-tool: error: \(message) [\(Diagnostic.Code.usage)]" }
}

extension Diagnostic.Code {
  package static var usage: Self { "usage" }
  package static var mixedOrigins: Self { "mixed-origins" }
}

/// The arguments of a command, parsed according to its options.
struct Arguments {
  /// The files, or the codes to explain.
  private(set) var files: [String] = []
  private(set) var wantsHelp = false
  private var values: [String: [String]] = [:]
  private let options: [Option]

  /// The first value of an option, or else its default.
  subscript(name: String) -> String? { all(name).first ?? options.first { $0.name == name }?.choices.first }

  func all(_ name: String) -> [String] { values[name] ?? [] }

  func has(_ name: String) -> Bool { values[name] != nil }

  init(_ words: some Sequence<String>, of command: Command) throws(UsageError) {
    options = command.options
    var words = Array(words)[...]
    while let word = words.popFirst(), word != "--" {
      if !word.hasPrefix("-") || word == "-" {
        files.append(word)
      } else if word == "--help" || word == "-h" {
        wantsHelp = true
      } else {
        let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        try add(parts[0], parts.count > 1 ? parts[1] : nil, &words, of: command)
      }
    }
    files += words
  }

  private mutating func add(
    _ name: String, _ given: String?, _ words: inout ArraySlice<String>, of command: Command
  ) throws(UsageError) {
    guard let option = options.first(where: { $0.name == name }) else {
      let all = options.map(\.name) + ["--help"]
      throw UsageError(
        message: "unknown option '\(name.escapedForDisplay())'; '\(command.name)' has the"
          + " options \(all.quotedList("and"))\(Self.hint(name, among: all) { $0.name == name })")
    }
    var value = ""
    if option.value == nil {
      guard given == nil else { throw UsageError(message: "'\(name)' takes no value; remove '=' and the value") }
    } else {
      guard let next = given ?? words.popFirst(), !next.isEmpty else {
        throw UsageError(message: "'\(name)' requires a value")
      }
      value = next
    }
    guard values[name] == nil || option.isRepeatable || option.value == nil else {
      throw UsageError(message: "'\(name)' is given more than once; pass it once")
    }
    // A value with `(`, `<`, or a space can be a single name with a comma, such as `Cache<A, B>`.
    let isList = value.contains(",") && !value.contains { "(< ".contains($0) }
    guard name != Option.registered.name || !isList else {
      throw UsageError(message: "'\(name)' takes one name; repeat the option for each of \(value.quotedForDisplay())")
    }
    guard option.choices.isEmpty || option.choices.contains(value) else {
      let noun = name.drop { $0 == "-" }
      throw UsageError(
        message: "unknown \(noun) '\(value.escapedForDisplay())'; the \(noun)s are \(option.choices.quotedList("and"))"
          + Self.hint(value, among: option.choices) { $0.name == name && $0.choices.contains(value) })
    }
    values[name, default: []].append(value)
  }

  /// Returns the end of a message that names the commands with an unknown option or choice, or else
  /// a similar name.
  private static func hint(_ word: String, among known: [String], _ isWanted: (Option) -> Bool) -> String {
    var owners = Command.all.filter { $0.options.contains(where: isWanted) }.map(\.name)
    let plugins = ["check-registrations", "registry-report"].prefix(word == "--baseline" ? 1 : 2)
    if ["--product", "--configuration", "--baseline"].contains(word) {
      owners += plugins.map { "swift package \($0)" }
    }
    if owners.isEmpty { return word.suggestion(in: known) }
    return "; \(owners.quotedList("and")) \(owners.count == 1 ? "has" : "have") it"
  }
}
