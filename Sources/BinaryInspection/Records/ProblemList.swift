import Registry

/// A list of problems in the order of their discovery, without duplicates.
///
/// The list is limited to a thousand problems for each code and file. Otherwise, a file that
/// contains only mistakes would become a list many times its size.
struct ProblemList {
  /// The largest number of problems that are reported for one code and file.
  static let limit = 1_000

  private struct Kind: Hashable {
    let path: String
    let code: Diagnostic.Code
  }

  private var problems: [InspectionProblem] = []
  private var known: Set<InspectionProblem> = []
  private var counts: [Kind: Int] = [:]
  /// The kinds with more problems than the limit.
  private var cutOff: [Kind] = []

  /// Adds a problem of a record.
  ///
  /// The message is created only if the problem is reported.
  mutating func add(
    _ code: Diagnostic.Code, of placed: ImageRecord, subject: String? = nil, _ message: @autoclosure () -> String,
    hint: @autoclosure () -> String = ""
  ) {
    add(Kind(path: placed.image.path, code: code)) { placed.problem(code, subject: subject, message(), hint: hint()) }
  }

  /// Adds a problem of a file.
  mutating func add(_ code: Diagnostic.Code, path: String, subject: String, _ message: @autoclosure () -> String) {
    add(Kind(path: path, code: code)) {
      InspectionProblem(file: path, code: code, subject: subject, message: message())
    }
  }

  private mutating func add(_ kind: Kind, _ problem: () -> InspectionProblem) {
    let count = counts[kind, default: 0]
    if count < Self.limit {
      let problem = problem()
      guard known.insert(problem).inserted else { return }
      problems.append(problem)
    } else if count == Self.limit {
      cutOff.append(kind)
    }
    counts[kind] = count + 1
  }

  /// The problems, followed by the numbers of problems above the limit.
  var all: [InspectionProblem] {
    problems
      + cutOff.map {
        InspectionProblem(
          file: $0.path, code: $0.code, subject: "records",
          message: "\(((counts[$0] ?? 0) - Self.limit).counted("more record")) with problems of this kind")
      }
  }
}
