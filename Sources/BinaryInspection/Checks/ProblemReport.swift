import Registry

/// The results of a check in JSON, which other programs can read.
///
/// `Documentation/RegistryTool.md` describes the format.
package struct ProblemReport {
  /// The version of the format.
  ///
  /// It increases when a reader of the previous version would misread a report. New members do not
  /// change it.
  static let version = 1

  private var lines: [String] = []

  package init(errors: [InspectionError], problems: [InspectionProblem], remarks: [InspectionProblem]) {
    for error in errors {
      add(
        InspectionProblem(file: error.file, code: error.code, subject: nil, message: error.message),
        offset: error.offset)
    }
    for problem in problems + remarks { add(problem) }
  }

  private mutating func add(_ problem: InspectionProblem, offset: UInt64? = nil) {
    func text(_ text: String?) -> String { text.map(JSONLine.text) ?? "null" }
    lines.append(
      "{\"severity\":\(text(problem.severity)),\"code\":\(text(problem.code.description)),\"file\":\(text(problem.file))"
        + ",\"subject\":\(text(problem.subject)),\"location\":\(text(problem.location))"
        + ",\"offset\":\(offset.map(String.init) ?? "null"),\"message\":\(text(problem.message))}")
  }

  /// The report, with a line for each problem.
  ///
  /// - Parameters:
  ///   - images: The number of images that were read.
  ///   - records: The number of records in these images.
  package func json(images: Int, records: Int) -> String {
    "{\"version\":\(Self.version),\"images\":\(images),\"records\":\(records),\n\"problems\":["
      + lines.map { "\n" + $0 }.joined(separator: ",") + "\n]}\n"
  }
}
