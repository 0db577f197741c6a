import BinaryInspection
import Foundation
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
      Option(
        name: "--built-from", value: "PATH", isRepeatable: true,
        help: "an object, an archive, or a folder of them, whose records FILE must contain; you can repeat the option"),
      Option(name: "--rules", value: "RULES", help: "the rules about which Swift modules may use each other, as JSON"),
      Option(
        name: "--write-rules", value: "FILE",
        help: "write rules that permit what the files contain, and nothing else, to a new file"),
      .registered, .separate,
      .format(["text", "json"], "text, for people and editors (the default), or json, for programs"), .architecture,
    ],
    examples: [
      "registry-tool check Shop.app", "registry-tool check --registered Clock --registered .orderDetail Shop.app",
      "registry-tool check --built-from libCart.a build/Shop",
      "registry-tool check --expect shop-records.json Shop.app", "registry-tool check --rules rules.json Shop.app",
    ],
    status:
      "; 1 if there are problems; 2 if a file cannot be read, whether or not there are problems. Problems are lines"
      + " 'FILE: error: SUBJECT: MESSAGE [CODE]' on standard error, or elements of a JSON object on standard output."
  ) { arguments in
    var problems: [InspectionProblem] = []
    let (images, records): (Int, Int)
    let registrations: () -> RegistrySnapshot
    /// Returns a result, or adds the error in reading or writing a file to the problems.
    func reporting<Value>(_ body: () throws -> Value?) throws -> Value? {
      do { return try body() } catch let problem as InspectionProblem { problems.append(problem) }
      return nil
    }
    if let snapshot = try reporting({ try Input.snapshot(in: arguments) }) {
      problems = snapshot.problems(at: arguments.files[0])
      registrations = { snapshot }
      let all = snapshot.processes.flatMap(\.images)
      (images, records) = (all.count, all.reduce(0) { $0 + $1.records })
    } else {
      let inspection = Inspection(of: problems.isEmpty ? arguments.files : [], architecture: arguments["--arch"])
      (images, records) = (inspection.images.count, inspection.recordCount)
      // An unreadable snapshot has nothing to check.
      if problems.isEmpty {
        let expected = try reporting { try arguments["--expect"].map { try ExpectedRecords(path: $0) } }
        problems += inspection.check(
          expecting: expected, builtFrom: arguments.all("--built-from"),
          librariesAreSeparate: arguments.has("--separate"), registered: arguments.all("--registered"))
        if !arguments.has("--separate") { problems += inspection.missingExecutable(problems) }
      }
      registrations = { inspection.snapshot() }
    }
    // Don't write rules if part of the input is missing, because they'd forbid the missing part.
    if let path = arguments["--write-rules"] {
      if problems.contains(where: { $0.severity == .unreadable }) {
        problems.append(
          InspectionProblem(
            file: path, code: .unreadableFile, text: "is not written, because a file cannot be read; see its error"))
      } else if FileManager.default.fileExists(atPath: path) {
        throw UsageError(
          message: "'\(path.escapedForDisplay())' exists, and '--write-rules' replaces no rules; remove it, or pass"
            + " another path")
      } else {
        _ = try reporting { try Output.write(RegistryRules(permitting: registrations()).json(), to: path) }
      }
    }
    let isReadable = images > 0 || !problems.contains { $0.severity == .unreadable }
    if isReadable, let path = arguments["--rules"] { problems += try Self.problems(with: path, in: registrations()) }
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

  /// Returns the violations of the rules in a file, or the error in reading the rules.
  @MainActor private static func problems(
    with path: String, in snapshot: RegistrySnapshot
  ) throws -> [InspectionProblem] {
    do {
      let rules = try RegistryRules(json: Input.bytes(of: path))
      return RegistrySnapshot(origin: .files, processes: [], problems: rules.problems(in: snapshot)).problems(at: path)
    } catch let error as MalformedRules {
      return [InspectionProblem(file: path, code: .malformedRules, text: "malformed rules: \(error.message)")]
    } catch let error as InspectionProblem {
      return [error]
    }
  }
}
