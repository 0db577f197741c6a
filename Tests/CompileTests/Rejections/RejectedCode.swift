import Testing

/// A source file that the compiler must reject, with the expected errors and warnings.
///
/// A comment states a diagnostic in the line of code before it, with its column. Further lines of
/// the comment that are indented continue the message. For example:
///
///     @ExportService((any P).self, named: "") struct A: P {}
///     // 37: error: 'named' must not be empty [invalid-name]
///
/// This toolchain prints the messages with the name of the macro at the end. `...` stands for any
/// text in a message that another comment states completely. Without a column, the diagnostic can
/// be anywhere in the line.
struct RejectedCode: Sendable, CustomTestStringConvertible {
  let name: String
  var source: String

  init(_ name: String, _ source: String) {
    (self.name, self.source) = (name, source)
  }

  var testDescription: String { name }

  /// The diagnostics that the comments state.
  var expectations: [Diagnostic] {
    var expectations: [Diagnostic] = []
    var lineOfCode = 0
    for (index, line) in source.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if let match = line.wholeMatch(of: /\/\/ (?:(\d+): )?(error|warning): (.*)/) {
        expectations.append(
          Diagnostic(
            file: name, line: lineOfCode, column: match.1.flatMap { Int($0) }, severity: String(match.2),
            message: String(match.3)))
      } else if line.hasPrefix("//   "), let last = expectations.indices.last {
        expectations[last].message += line.dropFirst(4)
      } else if !line.hasPrefix("//") {
        lineOfCode = index + 1
      }
    }
    return expectations
  }

  /// Returns the expectations that no diagnostic meets, and the diagnostics that none expects.
  func differences(
    from reported: [Diagnostic], adapting adapt: (inout Diagnostic) -> Void = { _ in }
  ) -> [String] {
    var unexpected = reported.filter { $0.file == name }
    var differences: [String] = []
    for var expectation in expectations {
      adapt(&expectation)
      if let index = unexpected.firstIndex(where: expectation.matches) {
        unexpected.remove(at: index)
      } else {
        differences.append("not reported: \(expectation)")
      }
    }
    return differences + unexpected.map { "not expected: \($0)" }
  }
}

/// The flags with which the rejected code is compiled.
enum RejectionMode: String, CaseIterable, Sendable {
  case swift6, swift5
  /// Swift 5 with default isolation and with features that users can enable.
  case features

  fileprivate var flags: [String] {
    switch self {
    case .swift6: ["-swift-version", "6"]
    case .swift5: ["-swift-version", "5"]
    case .features:
      [
        "-swift-version", "5", "-default-isolation", "MainActor", "-strict-memory-safety",
        "-enable-upcoming-feature", "InferIsolatedConformances", "-enable-upcoming-feature", "ExistentialAny",
        "-enable-upcoming-feature", "NonisolatedNonsendingByDefault",
      ]
    }
  }
}

/// The module of all rejected files, which the compiler checks once in each mode.
enum RejectedModule {
  private static let swift6 = Result { try compile(.swift6) }
  private static let swift5 = Result { try compile(.swift5) }
  private static let features = Result { try compile(.features) }

  /// Returns what the compiler reports about the module.
  static func diagnostics(_ mode: RejectionMode) throws -> [Diagnostic] {
    switch mode {
    case .swift6: try swift6.get()
    case .swift5: try swift5.get()
    case .features: try features.get()
    }
  }

  private static func compile(_ mode: RejectionMode) throws -> [Diagnostic] {
    var files = ["Declarations.swift": sharedDeclarations]
    for code in rejectedCode { files[code.name] = code.source }
    let diagnostics = try Compiler.run(files, mode.flags).diagnostics
    // Errors in the shared declarations would hide the ones in the files.
    try #require(!diagnostics.isEmpty && diagnostics.allSatisfy { $0.file != "Declarations.swift" }, "\(diagnostics)")
    return diagnostics
  }
}

/// All rejected files.
private let rejectedCode =
  [
    rejectedAttributes, rejectedTypes, circularServices, attributesInGenericExtensions, rejectedHandlers, unfitHandlers,
    misusedEvents, racingHandlers, rejectedRoutes, unfitRoutes, rejectedNeeds, unfitNeeds, unfitModules, nearMisses,
    isolatedConformances, isolatedName, existentialService, rejectedScript, misusedServices, misplacedArguments,
  ]

/// The declarations that the rejected files use. This file has no errors.
private let sharedDeclarations = """
  import Lifecycle
  import Registry
  import Routing

  protocol P {}
  protocol S: Sendable {}
  protocol Q { func f() }
  class Base { init(x: Int) {} }
  let text = "text"
  struct User: Sendable { let name: String }
  final class Box { var value = 1 }
  @MainActor var shown = 0
  func load() async {}
  extension Event where Payload == User, Outcome == Void { static var logIn: Self { .init("a") } }
  extension Event where Payload == Box, Outcome == Void { static var box: Self { .init("b") } }
  extension Event where Payload == Void, Outcome == Void { static var ping: Self { .init("c") } }
  extension Event where Payload == String, Outcome == Bool { static var open: Self { .init("d", combining: .any) } }
  extension AsyncEvent where Payload == User, Outcome == Bool { static var mayShip: Self { .init("e", combining: .all) } }
  struct Link: Codable, Sendable { var id: Int }
  struct Screen: Sendable {}
  extension Route where Parameters == Link, Outcome == Screen { static var screen: Self { .init("a") } }
  extension Route where Parameters == Void, Outcome == Int { static var number: Self { .init("b") } }
  extension Route where Parameters == Link, Outcome == any S { static var shown: Self { .init("c") } }
  extension Route where Parameters == User, Outcome == Void { static var user: Self { .init("d") } }
  extension Route where Parameters == Void, Outcome == Void { static var list: Self { .init("e") } }
  """
