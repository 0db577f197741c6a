import Foundation
import Registry

/// The command-line tool that inspects registrations and launch traces.
@main @MainActor struct RegistryTool {
  /// The package version that `--version` prints.
  private static let version = "0.1.0-dev"

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

  static func run(_ words: [String]) throws -> ExitStatus {
    guard let word = words.first else { throw UsageError(message: "missing command; see 'registry-tool --help'") }
    if ["--help", "-h", "help"].contains(word) {
      let about = word == "help" ? words.dropFirst().first { !["--help", "-h"].contains($0) } : nil
      Output.print(try about.map { Help.text(of: try Command.named($0)) } ?? Help.all)
      return .fine
    }
    if word == "--version" {
      Output.print("registry-tool \(version)")
      return .fine
    }
    let command = try Command.named(word)
    let arguments = try Arguments(words.dropFirst(), of: command)
    if arguments.wantsHelp {
      Output.print(Help.text(of: command))
      return .fine
    }
    guard !arguments.files.isEmpty else {
      let taken = arguments.all("--registered").last.map {
        " after '--registered \($0.escapedForDisplay())', which is the name of a service, a route, or a module"
      }
      throw UsageError(
        message: "missing \(command.operands)\(taken ?? ""); see 'registry-tool \(command.name) --help'")
    }
    return try command.run(arguments)
  }
}
