import BinaryInspection
import Foundation
import Registry
import RegistryAnalysis

extension Command {
  static let report = Command(
    name: "report", summary: "writes a page about what binaries register",
    about:
      "Writes a page for browsers, or JSON, about what the files register: modules in setup order, services with their implementations, handlers of"
      + " events, routes, actions, contributions, needs, and problems. FILE can also be the JSON that this command or a"
      + " running process has written; see Documentation/Analysis.md.",
    options: [
      Option(name: "-o", value: "FILE", help: "write to this file and not to standard output"),
      .format(["html", "json"], "html, a page (the default), or json, for programs and for diff"),
      Option(name: "--title", value: "TITLE", help: "the heading of the page, instead of the name of the executable"),
      Option(name: "--trace", value: "FILE", help: "show the launch in this trace on the page"),
      .registered, .separate, .architecture,
    ],
    examples: [
      "registry-tool report -o report.html Shop.app",
      "registry-tool report --format json -o registrations.json Shop.app",
    ],
    status: ", or 2 if a file cannot be read. The report has the registrations of the other files."
  ) { arguments in
    let isPage = arguments["--format"] == "html"
    if !isPage, let option = ["--title", "--trace"].first(where: arguments.has) {
      throw UsageError(message: "'\(option)' needs '--format html', because the JSON has no place for it")
    }
    func standardized(_ path: String) -> String {
      URL(fileURLWithPath: path).resolvingSymlinksInPath().standardizedFileURL.path
    }
    let inputs = (arguments.files + arguments.all("--trace")).map(standardized)
    if let output = arguments["-o"], inputs.contains(standardized(output)) {
      throw UsageError(message: "'-o' would replace the input '\(output.escapedForDisplay())'; pass another path")
    }
    let trace = try arguments["--trace"].map(Input.bytes)
    let (snapshot, status) = Input.registrations(try Input.snapshot(in: arguments), arguments.files, arguments)
    func page() throws -> String {
      try snapshot.html(
        title: arguments["--title"], trace: trace, at: arguments["--trace"] ?? "", changes: [String]?.none)
    }
    let output = isPage ? Data(try page().utf8) : try snapshot.json() + [UInt8(ascii: "\n")]
    try Output.write(output, to: arguments["-o"])
    return status
  }
}
