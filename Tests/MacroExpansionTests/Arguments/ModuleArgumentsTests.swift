import Testing

@testable import MacroExpansion

@Suite struct ModuleArgumentsTests {
  /// Returns the members of the record that describe the arguments, and the problems.
  private func parse(_ text: String) -> (members: String?, problems: [String]) {
    let (source, diagnostics) = expansion(request("ExportModule", text, on: "final class CartModule {}"))
    return (
      json(source).map { String($0.dropFirst(#"{"module":"Cart.CartModule"#.count + 1).dropLast()) },
      diagnostics.map(\.message)
    )
  }

  @Test func `All arguments are read`() {
    let (members, problems) = parse(
      "@ExportModule(level: .basic, priority: 10, after: [\"A.B\", /* c */ #\"C.D\"#, \"E.\\u{e9}\",])")
    #expect(problems.isEmpty)
    #expect(members == #","level":"basic","priority":10,"after":["A.B","C.D","E.é"]"#)
  }

  @Test func `The activation and the initialization of a module are read`() {
    let (members, problems) = parse(
      "@ExportModule(activation: .onFirstEvent, initialization: ModuleInitialization.inNextTurn, replaysMissedPhases: true)"
    )
    #expect(problems.isEmpty)
    #expect(members == #","activation":"onFirstEvent","initialization":"inNextTurn","catchUp":true"#)
    #expect(parse("@ExportModule(activation: .atLaunch, replaysMissedPhases: false)").members == "")
  }

  @Test func `The message about an unknown argument names it`() {
    func unknown(_ name: String) -> String {
      "the compiler plugin does not support \(name); rebuild the package and the plugin [unknown-argument]"
    }
    #expect(parse("@ExportModule(levle: 1)").problems == [unknown("the argument 'levle'")])
    #expect(parse("@ExportModule(Priority: 1)").problems == [unknown("the argument 'Priority'")])
    let label =
      "an argument needs a label, such as 'level:' or 'after:'; the module has the name of its class, 'Cart.CartModule'"
      + " [missing-argument]"
    #expect(parse("@ExportModule(1, 2)").problems == [label, unknown("this argument")])
  }

  @Test func `Types in after are kept apart from names, with the expression that names them`() {
    let text = "@ExportModule(after: [ AccountModule . self,\n`Shop`.Outer.Cart.self ])"
    #expect(parse(text).problems.isEmpty)
    #expect(parse(text).members == #","afterTypes":["AccountModule","Shop.Outer.Cart"]"#)
    #expect(parse("@ExportModule(after: [(A::B).self])").members == #","afterTypes":["A.B"]"#)
    let source = expansion(request("ExportModule", text, on: "final class CartModule {}")).source
    #expect(source?.contains("after: [AccountModule.self, `Shop`.Outer.Cart.self], ") == true)
    // A name without a module is an Objective-C name.
    #expect(parse(#"@ExportModule(after: ["CartModule"])"#).members == #","after":["CartModule"]"#)
    #expect(parse("@ExportModule(after: [Module.self])").members == #","afterTypes":["Module"]"#)
  }

  @Test(arguments: [
    "@ExportModule", "@ExportModule()", "@ExportModule(after: [])",
    "@ExportModule(level: ModuleLevel.normal)",
  ])
  func `Defaults are those of the macro`(text: String) {
    let (members, problems) = parse(text)
    #expect(problems.isEmpty && members == "")
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
      "a name in 'after' must be a string literal on one line such as '\"name\"'; "
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
