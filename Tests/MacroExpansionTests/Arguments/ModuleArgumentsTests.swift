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

  @Test func `The activation and the initialization of a module are read`() {
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

  @Test func `The message about an unknown argument names it`() {
    for (argument, name) in [
      ("levle: 1", "the argument 'levle'"), ("Priority: 1", "the argument 'Priority'"), ("1", "this argument"),
    ] {
      #expect(
        parse("@ExportModule(\(argument))").problems == [
          "the plugin 'RegistryMacros' does not support \(name); rebuild the package and the plugin [unknown-argument]"
        ])
    }
  }

  @Test func `Types in after are kept apart from names, with the expression that names them`() {
    let (arguments, problems) = parse("@ExportModule(after: [ AccountModule . self,\n`Shop`.Outer.Cart.self ])")
    #expect(problems.isEmpty && arguments.after.isEmpty)
    #expect(arguments.afterTypes == ["AccountModule", "Shop.Outer.Cart"])
    #expect(parse("@ExportModule(after: [(A::B).self])").arguments.afterTypes == ["A.B"])
    #expect(arguments.afterExpression == "[AccountModule.self, `Shop`.Outer.Cart.self]")
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
      "'level' must be written as '.basic' or '.normal'; the attribute cannot evaluate expressions [not-a-literal]"
    ),
    (
      "activation: lazy",
      "'activation' must be written as '.atLaunch' or '.onFirstEvent'; "
        + "the attribute cannot evaluate expressions [not-a-literal]"
    ),
    (
      "initialization: .later",
      "'initialization' must be written as '.inStart' or '.inNextTurn'; "
        + "the attribute cannot evaluate expressions [not-a-literal]"
    ),
    (
      "replaysMissedPhases: isLate",
      "'replaysMissedPhases' must be written as 'true' or 'false'; "
        + "the attribute cannot evaluate expressions [not-a-literal]"
    ),
    (
      "replaysMissedPhases: true && true",
      "'replaysMissedPhases' must be written as 'true' or 'false'; "
        + "the attribute cannot evaluate expressions [not-a-literal]"
    ),
    (
      "after: names",
      "'after' must be an array literal of string literals such as '[\"Account.AccountModule\"]', or of types such as "
        + "'[AccountModule.self]'; the attribute cannot evaluate expressions [not-a-literal]"
    ),
    (
      "after: [\"A\"] + names",
      "'after' must be an array literal of string literals such as '[\"Account.AccountModule\"]', or of types such as "
        + "'[AccountModule.self]'; the attribute cannot evaluate expressions [not-a-literal]"
    ),
    (
      "after: [name]",
      "a name in 'after' must be a string literal such as '\"name\"'; "
        + "the attribute cannot evaluate expressions [not-a-literal]"
    ),
    ("after: [A.self, A.self]", "'after' contains 'A' twice; remove one of them [duplicate-name]"),
    (
      "after: [CartModule.self]", "module 'CartModule' cannot start after itself; remove it from 'after' [after-itself]"
    ),
    ("after: [\"\"]", "a name in 'after' must not be empty [invalid-name]"),
    ("after: [\"A\", \"B\", \"\\u{41}\"]", "'after' contains 'A' twice; remove one of them [duplicate-name]"),
    (
      "after: [\"Cart.CartModule\"]",
      "module 'Cart.CartModule' cannot start after itself; remove it from 'after' [after-itself]"
    ),
  ])
  func `An argument that cannot be read is an error`(argument: String, message: String) {
    #expect(parse("@ExportModule(\(argument))").problems == [message])
  }
}
