import BinaryInspection
import RegistryAnalysis

extension Command {
  static let report = Command(
    name: "report", summary: "writes what binaries register as JSON",
    about: "Writes what the files register: modules in set-up order, services with their implementations, handlers of"
      + " events, routes, actions, contributions, needs, and problems. FILE can also be the JSON that this command or a"
      + " running process has written; see Documentation/Analysis.md.",
    options: [
      Option(name: "-o", value: "FILE", help: "write to this file and not to standard output"),
      .format(["json"], "json, for programs and for diff"), .registered, .separate, .architecture,
    ],
    examples: ["registry-tool report --format json -o registrations.json Shop.app"],
    status: ", or 2 if a file cannot be read. The report has the registrations of the other files."
  ) { arguments in
    let (snapshot, status) = try Input.registrations(arguments)
    try Output.write(try snapshot.json() + [UInt8(ascii: "\n")], to: arguments["-o"])
    return status
  }
}
