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

  package init(errors: [InspectionError], problems: [InspectionProblem], remarks: [InspectionRemark]) {
    for error in errors {
      add(.error, error.code, file: error.file, offset: error.offset, error.message)
    }
    for problem in problems {
      add(
        .error, problem.code, file: problem.file, subject: problem.subject, location: problem.location,
        problem.message)
    }
    for remark in remarks {
      add(
        .note, remark.code, file: remark.file, subject: remark.subject, location: remark.location, remark.message)
    }
  }

  /// The severity of an element, which is the word in the corresponding line of text.
  private enum Severity: String {
    case error
    case note
  }

  private mutating func add(
    _ severity: Severity, _ code: Diagnostic.Code, file: String, subject: String? = nil, location: String? = nil,
    offset: UInt64? = nil, _ message: String
  ) {
    var line = "{\"severity\":\(JSONLine.text(severity.rawValue)),\"code\":\(JSONLine.text(code.rawValue))"
    line += ",\"file\":\(JSONLine.text(file)),\"subject\":\(subject.map(JSONLine.text) ?? "null")"
    line += ",\"location\":\(location.map(JSONLine.text) ?? "null")"
    line += ",\"offset\":\(offset.map(String.init) ?? "null"),\"message\":\(JSONLine.text(message))}"
    lines.append(line)
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
