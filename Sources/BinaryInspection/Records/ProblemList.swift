import Registry

/// A list of problems in the order of their discovery, without duplicates.
///
/// The list is limited to a thousand problems of records for each code and file. Otherwise, a file
/// that contains only mistakes would become a list many times its size.
struct ProblemList {
  /// The largest number of problems that are reported for one code and file.
  static let limit = 1_000

  private struct Kind: Hashable {
    let path: String
    let code: Diagnostic.Code
  }

  private var problems: [InspectionProblem] = []
  /// The numbers of times that problems were found, regardless of their hints.
  private var counts: [InspectionProblem: Int] = [:]
  private var kinds: [Kind: Int] = [:]
  /// The kinds with more problems than the limit.
  private var cutOff: [Kind] = []
  /// The number of names that can still be compared with all others, for a hint.
  private var hints = 1_000

  /// Adds a problem of a record.
  ///
  /// The message and the hint are created only if the problem is reported.
  mutating func add(
    _ code: Diagnostic.Code, of placed: ImageRecord, subject: String? = nil, _ message: @autoclosure () -> String,
    hint: @autoclosure () -> String = ""
  ) {
    add(code, path: placed.image.path) { hints in
      hints -= 1
      return placed.problem(code, subject: subject, message(), hint: hints >= 0 ? hint() : "")
    }
  }

  /// Adds a problem of a file.
  mutating func add(_ code: Diagnostic.Code, path: String, subject: String, _ message: @autoclosure () -> String) {
    add(code, path: path) { _ in InspectionProblem(file: path, code: code, subject: subject, message: message()) }
  }

  private mutating func add(_ code: Diagnostic.Code, path: String, _ problem: (inout Int) -> InspectionProblem) {
    let kind = Kind(path: path, code: code)
    let count = kinds[kind, default: 0]
    if count < Self.limit {
      guard add(problem(&hints)) else { return }
    } else if count == Self.limit {
      cutOff.append(kind)
    }
    kinds[kind] = count + 1
  }

  /// Adds a problem that does not count toward the limit, and returns whether it is new.
  @discardableResult mutating func add(_ problem: InspectionProblem) -> Bool {
    let count = count(of: problem)
    if count == 0 { problems.append(problem) }
    counts[problem.withoutHint] = count + 1
    return count == 0
  }

  /// Returns the number of times that a problem was found, regardless of its hint.
  func count(of problem: InspectionProblem) -> Int { counts[problem.withoutHint] ?? 0 }

  /// The problems, followed by the numbers of problems above the limit.
  var all: [InspectionProblem] {
    problems
      + cutOff.map {
        InspectionProblem(
          file: $0.path, code: $0.code, subject: "records",
          message: "\(((kinds[$0] ?? 0) - Self.limit).counted("more record")) with problems of this kind")
      }
  }
}
