import BinaryInspection
import Foundation
import Registry
import RegistryAnalysis

extension Command {
  static let diff = Command(
    name: "diff", operands: "OLD NEW", summary: "compares what two builds register",
    about: "Prints what was added, removed, and changed from OLD to NEW. Each is a binary, a folder, or the output of"
      + " report --format json. A change is breaking if something that code needs, a route, a pattern, or an action is"
      + " gone, if a service lost its last implementation, or if the type of an event, a route, or a point changed.",
    options: [
      .format(
        ["text", "json", "markdown", "html"],
        "text, for people (the default), json, for programs, markdown, for a pull request,"
          + " or html, the page of NEW with the changes"
      ), .architecture,
    ],
    examples: [
      "registry-tool diff old/Shop.app Shop.app", "registry-tool diff --format markdown registrations.json Shop.app",
    ],
    status: "; 1 for breaking changes; 2 if a file cannot be read."
  ) { arguments in
    guard arguments.files.count == 2 else {
      throw UsageError(
        message:
          "'diff' compares two files, but got \(arguments.files.count); pass OLD and NEW, such as a folder for each")
    }
    let snapshots = try arguments.files.map { try RegistrySnapshot.read(at: $0) }
    guard snapshots.contains(nil) || !arguments.has("--arch") else {
      throw UsageError(message: "'--arch' needs binaries, because a snapshot has no records")
    }
    let sides = zip(snapshots, arguments.files).map { Input.registrations($0, [$1], arguments) }
    // Don't compare incomplete input, because unread registrations would count as changes.
    if sides.contains(where: { $0.1 == .unreadable }) { return .unreadable }
    let difference = RegistryDifference(from: sides[0].0, to: sides[1].0)
    let names = arguments.files.map { $0.escapedForDisplay(limit: 1_000) }
    if sides[0].0.origin != sides[1].0.origin {
      Output.error(
        "\(names[1]): note: only one of the snapshots is of a running process,"
          + " which also has what code registers; compare two of one kind [\(Diagnostic.Code.mixedOrigins)]")
    }
    switch arguments["--format"] {
    case "json": try Output.write(try difference.json() + [UInt8(ascii: "\n")], to: nil)
    case "html": Output.print(try sides[1].0.html(changes: difference.rows))
    case "markdown": Output.print(difference.markdown)
    default: Output.print("from \(names[0]) to \(names[1])\n" + difference.text)
    }
    return difference.breakingCount > 0 ? .problems : .fine
  }
}
