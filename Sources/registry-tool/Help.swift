/// The help, generated from the commands' descriptions.
enum Help {
  private static let width = 115

  static var all: String {
    let column = Command.all.map(\.name.count).max() ?? 0
    let usages = Command.all.map { "registry-tool \($0.name) \($0.operands)" } + ["registry-tool --version"]
    return """
      registry-tool lists, checks, and draws what binaries register, without running them.

      usage: \(usages.joined(separator: "\n       "))

      \(Command.all.map { row($0.name, $0.summary, column) }.joined(separator: "\n"))

      FILE is a Mach-O or ELF binary (an executable, a library, a bundle, or an object), a universal file, a static
      archive, or a folder such as an .app or a .framework. The tool reads all slices of a universal file, or the
      slice that --arch selects.

      Run 'registry-tool COMMAND --help' for the options of a command. Every error, problem, and note ends with a
      code in brackets. Exit status: 0; 1 if check, diff, or budget fails; 2 if a file cannot be read or the arguments are
      invalid.
      """
  }

  static func text(of command: Command) -> String {
    let usage = wrapped(command.options.map(usage) + [command.operands], after: "usage: registry-tool \(command.name) ")
    let heads = command.options.map { head($0) }
    let column = heads.map(\.count).max() ?? 0
    let options = zip(heads, command.options).map { row($0, $1.help, column) }
    return [
      [usage], [wrapped(command.about.split(separator: " "))], options,
      command.examples.map { "  \($0)" },
      [wrapped("Exit status: 0\(command.status)".split(separator: " "))],
    ].filter { !$0.isEmpty }.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
  }

  private static func usage(of option: Option) -> String {
    let value = option.choices.isEmpty ? option.value : option.choices.joined(separator: "|")
    return "[\(option.name)\(value.map { " \($0)" } ?? "")]\(option.isRepeatable ? "…" : "")"
  }

  private static func head(_ option: Option) -> String { option.name + (option.value.map { " \($0)" } ?? "") }

  /// Returns an indented row whose text wraps within its column.
  private static func row(_ head: String, _ text: String, _ column: Int) -> String {
    let start = "  " + head + String(repeating: " ", count: column - head.count + 2)
    return wrapped(text.split(separator: " "), after: start)
  }

  /// Returns words in lines below each other, the first one after a text.
  private static func wrapped(_ words: [some StringProtocol], after start: String = "") -> String {
    let indent = String(repeating: " ", count: start.count)
    var lines = [start]
    for word in words {
      let line = lines[lines.count - 1]
      if line.count + word.count >= width {
        lines.append(indent + word)
      } else {
        lines[lines.count - 1] = line + (line.isEmpty || line.hasSuffix(" ") ? "" : " ") + word
      }
    }
    return lines.joined(separator: "\n")
  }
}
