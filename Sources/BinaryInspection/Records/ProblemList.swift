import Registry

/// The problems with files and records, in discovery order and without duplicates.
///
/// The list holds at most a thousand problems for each severity, code, and file, because a hostile
/// file could otherwise cause far more problems than it has bytes.
final class ProblemList {
  static let limit = 1_000

  private var problems: [InspectionProblem] = []
  /// The number of times that each problem was found, regardless of its hint.
  private var counts: [InspectionProblem: Int] = [:]
  /// The numbers of problems by file, severity, and code. A problem without text is the key.
  private var kinds: [InspectionProblem: Int] = [:]
  private var cutOff: [InspectionProblem] = []
  /// The number of record problems that can get a hint. The tool searches all names for each hint.
  private(set) var hints = limit

  /// Adds a problem with a record. The message and the hint are created only below the limit.
  func add(
    _ code: Diagnostic.Code, _ severity: InspectionProblem.Severity = .problem, of placed: ImageRecord,
    subject: String? = nil, _ text: @autoclosure () -> String, hint: @autoclosure () -> String = ""
  ) {
    add(code, severity, path: placed.image.path) {
      hints -= 1
      return InspectionProblem(
        file: placed.image.name, severity: severity, code: code,
        subject: subject ?? placed.contents.subject ?? "\(placed.record.kind)", location: placed.record.location,
        text: text(), hint: hints >= 0 ? hint() : "")
    }
  }

  /// Adds a problem with a file. The subject and the message are created only below the limit.
  ///
  /// - Parameters:
  ///   - file: The name of the file in messages.
  ///   - path: The path of the file, or nil if it's the same as the name.
  func add(
    _ code: Diagnostic.Code, _ severity: InspectionProblem.Severity = .problem, file: String, path: String? = nil,
    subject: @autoclosure () -> String? = nil, location: String? = nil, _ text: @autoclosure () -> String
  ) {
    add(code, severity, path: path ?? file) {
      InspectionProblem(
        file: file, severity: severity, code: code, subject: subject(), location: location, text: text())
    }
  }

  func add(_ problem: InspectionProblem, path: String) { add(problem.code, problem.severity, path: path) { problem } }

  private func add(
    _ code: Diagnostic.Code, _ severity: InspectionProblem.Severity, path: String, _ problem: () -> InspectionProblem
  ) {
    let kind = InspectionProblem(file: path, severity: severity, code: code, text: "")
    let count = kinds[kind, default: 0]
    if count < Self.limit {
      guard add(problem()) else { return }
    } else if count == Self.limit {
      cutOff.append(kind)
    }
    kinds[kind] = count + 1
  }

  /// Adds a problem that doesn't count toward the limit, and returns whether it's new.
  @discardableResult func add(_ problem: InspectionProblem) -> Bool {
    let isNew = count(of: problem) == 0
    if isNew { problems.append(problem) }
    counts[Self.withoutHint(problem), default: 0] += 1
    return isNew
  }

  func count(of problem: InspectionProblem) -> Int { counts[Self.withoutHint(problem)] ?? 0 }

  private static func withoutHint(_ problem: InspectionProblem) -> InspectionProblem {
    var problem = problem
    problem.hint = ""
    return problem
  }

  /// The problems, followed by messages about omitted problems.
  var all: [InspectionProblem] {
    problems
      + cutOff.map { kind in
        InspectionProblem(
          file: kind.file, severity: kind.severity, code: kind.code,
          text: "\(((kinds[kind] ?? 0) - Self.limit).counted("more message")) of this kind")
      }
  }
}
