import BinaryInspection
import Registry

extension Command {
  static let check = Command(
    name: "check", summary: "finds registrations that would fail at run time",
    about: "Finds registrations that would fail at run time: malformed records; services, routes, and modules that code"
      + " needs and no file exports; duplicate modules, implementations, routes, and actions; unknown names and cycles"
      + " in 'after'; classes and protocols that no file contains; slices that differ; several copies of the library in"
      + " one process; objects that the linker omitted. Each group of records is checked by itself. Pass all files that"
      + " are in one process together.",
    options: [
      Option(
        name: "--expect", value: "LIST",
        help: "the records that must be present: the output of list --format json"),
      Option(
        name: "--registered", value: "NAME", isRepeatable: true,
        help: "the service, route, or module is registered in code, which the tool cannot see, so code can need it; you"
          + " can repeat the option"),
      Option(
        name: "--separate",
        help: "a library that no file links, or an archive, can belong to another process, so that its copy of the"
          + " library, or an object that no file contains, is a note and not a problem"),
      .format(["text", "json"], "text, for people and editors (the default), or json, for programs"), .architecture,
    ],
    examples: [
      "registry-tool check Shop.app", "registry-tool check --registered Clock --registered .orderDetail Shop.app",
      "registry-tool check --expect shop-records.json Shop.app",
    ],
    status:
      "; 1 if there are problems; 2 if a file cannot be read, whether or not there are problems. Problems are lines"
      + " 'FILE: error: SUBJECT: MESSAGE [CODE]' on standard error, or elements of a JSON object on standard output."
  ) { arguments in
    let inspection = Inspection(of: arguments.files, architecture: arguments["--arch"])
    var problems: [InspectionProblem] = []
    var expected: ExpectedRecords?
    do throws(InspectionProblem) {
      if let path = arguments["--expect"] { expected = try ExpectedRecords(path: path) }
    } catch {
      problems.append(error)
    }
    problems += inspection.check(
      expecting: expected, librariesAreSeparate: arguments.has("--separate"), registered: arguments.all("--registered"))
    let found = problems.count { $0.severity == .problem }
    let unreadable = problems.count { $0.severity == .unreadable }
    if arguments["--format"] == "json" {
      inspection.writeReport(problems, Output.write)
    } else {
      for problem in problems { Output.error("\(problem)") }
      Output.print(
        "\(inspection.recordCount.counted("record")) in \(inspection.images.count.counted("image")):"
          + " \(found == 0 ? "no problems" : found.counted("problem"))"
          + (unreadable == 0 ? "" : "; \(unreadable) could not be read"))
    }
    return unreadable > 0 ? .unreadable : found > 0 ? .problems : .fine
  }
}
