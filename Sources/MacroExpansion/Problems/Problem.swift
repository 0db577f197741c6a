/// An error or a warning about the use of a macro. The text states the problem and how to fix it.
///
/// Keep the messages stable, because tests and searches depend on them.
struct Problem: Error {
  enum Severity: String {
    case error
    case warning
  }

  struct FixIt {
    let message: String
    let range: Range<Int>
    let text: String
  }

  let code: Code
  let text: String
  /// The byte range of the problem in the macro's source, or nil for the whole source. The range of
  /// a warning is in the declaration that has the attribute.
  var range: Range<Int>?
  var severity = Severity.error
  var fixIt: FixIt?

  init(_ code: Code, _ text: String) {
    self.code = code
    self.text = text
  }

  var message: String { "\(text) [\(code.rawValue)]" }

  // MARK: - Messages that several macros report

  static let serviceIsNotASelf = Problem(.notALiteral, "the service must be written as 'P.self' or '(any P).self'")

  static func exportedTwice(_ name: String, _ description: String = "", by attribute: String, fix: String = "")
    -> Problem
  {
    Problem(
      .exportedTwice,
      "'\(name)' is already exported \(description)by another '\(attribute)' attribute; remove this one\(fix)")
  }

  // MARK: Versions of the library and the plugin

  static func unknownArgument(_ label: String?) -> Problem {
    let argument = label.map { "the argument '\($0)'" } ?? "this argument"
    return Problem(
      .unknownArgument,
      "the compiler plugin does not support \(argument); rebuild the package and the plugin")
  }

  static func unreadableMessage(_ reason: String) -> Problem {
    Problem(
      .unreadableMessage, "the compiler plugin \(reason); use a toolchain that the package supports")
  }
}

extension [String] {
  /// The elements as a list in prose, such as `a, b, or c`.
  var alternatives: String {
    guard let last, count > 2 else { return joined(separator: " or ") }
    return dropLast().joined(separator: ", ") + ", or " + last
  }
}

extension String {
  var withArticle: String { "\(["actor", "enum", "extension"].contains(self) ? "an" : "a") \(self)" }
}
