import Testing

@testable import MacroExpansion

@Suite struct ModuleArgumentsTests {
  private func parse(_ text: String) -> (arguments: ModuleArguments, problems: [String]) {
    var problems: [Problem] = []
    let arguments = ModuleArguments(Source(text), name: "Cart.CartModule", &problems)
    return (arguments, problems.map(\.message))
  }

  @Test func `All arguments are read`() {
    let (arguments, problems) = parse(
      "@ExportModule(level: .basic, priority: 10, after: [\"A.B\", /* c */ #\"C.D\"#, \"E.\\u{e9}\",])")
    #expect(problems.isEmpty)
    #expect(arguments.level == .basic)
    #expect(arguments.priority == 10)
    #expect(arguments.after == ["A.B", "C.D", "E.é"])
  }

  @Test func `When a module is made and initialised is read`() {
    let (arguments, problems) = parse(
      "@ExportModule(activation: .onFirstEvent, initialization: ModuleInitialization.inNextTurn, replaysMissedPhases: true)"
    )
    #expect(problems.isEmpty)
    #expect(
      arguments.activation == .onFirstEvent && arguments.initialization == .inNextTurn && arguments.replaysMissedPhases)
    #expect(
      parse("@ExportModule(activation: .atLaunch, replaysMissedPhases: false)").arguments
        == parse("@ExportModule").arguments)
  }

  @Test func `An argument that the macro does not have is named`() {
    for label in ["levle", "Priority"] {
      #expect(parse("@ExportModule(\(label): 1)").problems == [Problem.unknownArgument(label, at: 0..<1).message])
    }
  }

  @Test(arguments: [
    "@ExportModule", "@ExportModule()", "@ExportModule(after: [])",
    "@ExportModule(level: ModuleLevel.normal)",
  ])
  func `Defaults are those of the macro`(text: String) {
    let (arguments, problems) = parse(text)
    #expect(problems.isEmpty)
    #expect(arguments.level == .normal && arguments.priority == 0 && arguments.after.isEmpty)
  }

  @Test(arguments: [
    (
      "level: .high",
      "'level' must be written out as .basic or .normal: it is read while the attribute is expanded"
    ),
    (
      "activation: lazy",
      "'activation' must be written out as .atLaunch or .onFirstEvent: it is read while the attribute is expanded"
    ),
    (
      "initialization: .later",
      "'initialization' must be written out as .inStart or .inNextTurn: it is read while the attribute is expanded"
    ),
    (
      "replaysMissedPhases: isLate",
      "'replaysMissedPhases' must be written out as true or false: it is read while the attribute is expanded"
    ),
    (
      "replaysMissedPhases: true && true",
      "'replaysMissedPhases' must be written out as true or false: it is read while the attribute is expanded"
    ),
    (
      "after: names",
      "'after' must be an array literal of string literals such as [\"Account.AccountModule\"]: it is read while the attribute is expanded"
    ),
    (
      "after: [\"A\"] + names",
      "'after' must be an array literal of string literals such as [\"Account.AccountModule\"]: it is read while the attribute is expanded"
    ),
    (
      "after: [name]",
      "'after' must be a string literal such as \"name\": it is read while the attribute is expanded"
    ),
    ("after: [\"\"]", "'after' must not hold an empty name"),
    ("after: [\"A\", \"B\", \"\\u{41}\"]", "'after' names \"A\" twice: remove one of them"),
    ("after: [\"Cart.CartModule\"]", "\"Cart.CartModule\" cannot come after itself: remove it from 'after'"),
  ])
  func `What cannot be read is refused`(argument: String, message: String) {
    #expect(parse("@ExportModule(\(argument))").problems == [message])
  }
}
