import BinaryInspection
import Registry

/// The command that prints every record.
enum ListCommand {
  enum Format: String, CaseIterable {
    case table
    case json
  }

  static func run(_ arguments: Arguments) throws(UsageError) -> ExitStatus {
    let format = try arguments.format(Format.self)
    let inspection = Inspection(of: arguments.files, architecture: arguments.architecture, readsClasses: false)
    switch format {
    case .table: Table.print(inspection)
    case .json: inspection.writeList(Output.write)
    }
    for error in inspection.errors { Output.error("\(error)") }
    for remark in inspection.remarks { Output.error("\(remark)") }
    // The list does not contain these records, or marks them as malformed.
    for problem in inspection.images.flatMap(\.problems) { Output.error(problem.line("warning")) }
    return inspection.errors.isEmpty ? .fine : .unreadable
  }
}

/// The command that finds registrations that would fail at run time.
@MainActor enum CheckCommand {
  enum Format: String, CaseIterable {
    case text
    case json
  }

  static func run(_ arguments: Arguments) throws(UsageError) -> ExitStatus {
    let format = try arguments.format(Format.self)
    var errors: [InspectionError] = []
    var expected: ExpectedRecords?
    if let path = arguments.expectation {
      do {
        expected = try ExpectedRecords(path: path)
      } catch {
        errors.append(error)
      }
    }
    let inspection = Inspection(of: arguments.files, architecture: arguments.architecture)
    errors += inspection.errors
    let problems = inspection.check(
      expecting: expected, librariesAreSeparate: arguments.isSeparate, registered: arguments.registered)
    let remarks =
      inspection.remarks + inspection.copyRemarks(librariesAreSeparate: arguments.isSeparate)
      + inspection.needRemarks(registered: arguments.registered)
    let records = inspection.images.reduce(0) { $0 + $1.records.count }
    switch format {
    case .text: printText(errors, problems, remarks, images: inspection.images.count, records: records)
    case .json:
      let report = ProblemReport(errors: errors, problems: problems, remarks: remarks)
      Output.print(report.json(images: inspection.images.count, records: records))
    }
    if !errors.isEmpty { return .unreadable }
    return problems.isEmpty ? .fine : .problems
  }

  private static func printText(
    _ errors: [InspectionError], _ problems: [InspectionProblem], _ remarks: [InspectionProblem], images: Int,
    records: Int
  ) {
    for error in errors { Output.error("\(error)") }
    for problem in problems { Output.error("\(problem)") }
    for remark in remarks { Output.error("\(remark)") }
    let found = problems.isEmpty ? "no problems" : problems.count == 1 ? "1 problem" : "\(problems.count) problems"
    Output.print(
      "\(records.counted("record")) in \(images.counted("image")): \(found)"
        + (errors.isEmpty ? "" : "; \(errors.count) could not be read"))
  }
}

/// The command that draws modules, services, and handlers.
@MainActor enum GraphCommand {
  static func run(_ arguments: Arguments) throws(UsageError) -> ExitStatus {
    let format = try arguments.format(GraphFormat.self)
    let inspection = Inspection(of: arguments.files, architecture: arguments.architecture)
    inspection.writeGraph(format, Output.write)
    for error in inspection.errors { Output.error("\(error)") }
    for remark in inspection.remarks where remark.code != .unreadClasses { Output.error("\(remark)") }
    // An unmet need is in the graph.
    for remark in inspection.needRemarks() where remark.code != .unmetNeed { Output.error("\(remark)") }
    // The graph does not contain these records.
    for problem in inspection.images.flatMap(\.problems) { Output.error(problem.line("warning")) }
    return inspection.errors.isEmpty ? .fine : .unreadable
  }
}
