import BinaryInspection
import Registry
import RegistryAnalysis

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
      .registered, .separate,
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
    var problems: [InspectionProblem] = []
    let (images, records): (Int, Int)
    if let snapshot = try Input.snapshot(in: arguments) {
      guard !arguments.has("--expect") else {
        throw UsageError(message: "'--expect' needs binaries, because a snapshot has no records")
      }
      problems = snapshot.problems(at: arguments.files[0])
      let all = snapshot.processes.flatMap(\.images)
      (images, records) = (all.count, all.reduce(0) { $0 + $1.records })
    } else {
      let inspection = Inspection(of: arguments.files, architecture: arguments["--arch"])
      (images, records) = (inspection.images.count, inspection.recordCount)
      var expected: ExpectedRecords?
      do throws(InspectionProblem) {
        if let path = arguments["--expect"] { expected = try ExpectedRecords(path: path) }
      } catch {
        problems.append(error)
      }
      problems += inspection.check(
        expecting: expected, librariesAreSeparate: arguments.has("--separate"),
        registered: arguments.all("--registered"))
    }
    let found = problems.count { $0.severity == .problem }
    let unreadable = problems.count { $0.severity == .unreadable }
    if arguments["--format"] == "json" {
      Inspection.writeReport(problems, images: images, records: records, Output.write)
    } else {
      for problem in problems { Output.error("\(problem)") }
      Output.print(
        "\(records.counted("record")) in \(images.counted("image")):"
          + " \(found == 0 ? "no problems" : found.counted("problem"))"
          + (unreadable == 0 ? "" : "; \(unreadable) could not be read"))
    }
    return unreadable > 0 ? .unreadable : found > 0 ? .problems : .fine
  }
}
