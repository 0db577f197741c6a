import Testing

@testable import MacroExpansion

@Suite struct ServiceArgumentsTests {
  /// Returns the expansion of an attribute on a class, and the diagnostics.
  private func parse(_ text: String) -> (source: String?, problems: [PluginMessage.Diagnostic]) {
    let (source, diagnostics) = expansion(request("ExportService", text, on: "final class New {}"))
    return (source, diagnostics)
  }

  /// Returns the members of the record that describe the arguments of a service named P.
  private func members(_ arguments: String) -> String? {
    let (source, problems) = parse("@ExportService(P.self\(arguments))")
    #expect(problems.isEmpty)
    return json(source).map { String($0.dropFirst(#"{"protocol":"P","class":"Cart.New""#.count).dropLast()) }
  }

  @Test(arguments: [
    ("P.self", "P", "P.self"), ("(P).self", "P", "(P).self"), ("(any P).self", "P", "(any P).self"),
    ("((any P)).self", "P", "((any P)).self"), ("(any M.P).self", "M.P", "(any M.P).self"),
    ("(any  P&Q).self", "P & Q", "(any P & Q).self"), ("(any (P & Q)).self", "P & Q", "(any (P & Q)).self"),
    ("(P /* x */\n // y\n & Q).self", "P & Q", "(P & Q).self"),
    ("(any P<Int,[String : Q]>).self", "P<Int, [String: Q]>", "(any P<Int, [String: Q]>).self"),
    ("(any P<any Q>).self", "P<any Q>", "(any P<any Q>).self"), ("`class`.self", "class", "`class`.self"),
    ("(any M::P).self", "M::P", "(any M::P).self"), ("M::P.self", "M::P", "M::P.self"),
    ("(any P & ~Copyable).self", "P & ~Copyable", "(any P & ~Copyable).self"),
    ("(any ~Copyable).self", "~Copyable", "(any ~Copyable).self"), ("P<any ~Q>.self", "P<any ~Q>", "P<any ~Q>.self"),
    ("(any P<(Int)->String>).self", "P<(Int) -> String>", "(any P<(Int) -> String>).self"),
    ("anyP.self", "anyP", "anyP.self"), ("P.Type.self", "P.Type", "P.Type.self"),
    ("(any P<Int?>).self", "P<Int?>", "(any P<Int?>).self"),
    ("P<()->Q,()->[R]>.self", "P<() -> Q, () -> [R]>", "P<() -> Q, () -> [R]>.self"),
  ])
  func `The name of a service contains neither parentheses nor any`(text: String, name: String, expression: String) {
    let (source, problems) = parse("@ExportService(\(text))")
    #expect(problems.isEmpty)
    #expect(json(source)?.hasPrefix("{\"protocol\":\"\(name)\",") == true)
    #expect(source?.contains("let __service = Registry::__service(\(expression))\n") == true)
  }

  @Test(arguments: [
    "P", "type", "(any P)", "P.self as Any", "f()", "P.Type", ".self", "P.`self`", "(any P).self()", "self",
  ])
  func `Anything but a self expression is rejected`(text: String) {
    #expect(
      parse("@ExportService(\(text))").problems.map(\.message) == [Problem.serviceIsNotASelf.message]
    )
  }

  @Test(arguments: [
    "(any P)?.self", "P?.self", "((any P)?).self", "P??.self", "(any P)!.self", "Optional<any P>.self",
    "(Swift.Optional<P>).self", "Swift::Optional<P<Int>>.self", "(`Optional`<any P>).self",
    "`Swift`.`Optional`<P>.self",
  ])
  func `An optional is not a service`(text: String) {
    #expect(
      parse("@ExportService(\(text))").problems.map(\.message) == [
        "an optional is not a service, and lookups of the type that it wraps do not find it; write the type without"
          + " 'Optional' or the question mark [optional-service]"
      ])
  }

  @Test(arguments: ["My.Optional<Int>.self", "(My::Optional<P>).self", "Optional<P>.Box<Int>.self", "Optional.self"])
  func `A type of another module or type can have the name Optional`(text: String) {
    #expect(parse("@ExportService(\(text))").problems.isEmpty)
  }

  @Test func `A cache has a name, and an instance can be separate`() {
    #expect(
      members(#", scope: .cached("day"), separateInstance: true"#) == #","scope":"cached(day)","separateInstance":true"#
    )
    #expect(members(#", scope: .cached("day",), when: .flag("x",)"#) == #","scope":"cached(day)","when":"flag(x)""#)
  }

  @Test(arguments: [
    ("nil", "", nil), (#""Cart.Old""#, #","replaces":"Cart.Old""#, nil),
    ("Old.self", #","replacesType":"Old""#, "Old.self"),
    ("Cart::`class`.self", #","replacesType":"Cart.class""#, "Cart::`class`.self"),
  ])
  func `The replaced implementation is a name or a type`(argument: String, replaced: String, expression: String?) {
    #expect(members(", replaces: \(argument)") == replaced)
    let source = parse("@ExportService(P.self, replaces: \(argument))").source
    #expect(source?.contains("__provideReplaced(\(expression ?? "")") == (expression != nil))
  }

  @Test(arguments: [
    ("nil", nil), (".debug", "debug"), ("ServiceCondition.release", "release"), (".preview", "preview"),
    ("Registry.ServiceCondition.test", "test"), (#".flag("new-cart")"#, "flag(new-cart)"),
  ])
  func `A condition is a case`(text: String, condition: String?) {
    let members = members(", when: \(text)")
    #expect(members?.hasPrefix(condition.map { ",\"when\":\"\($0)\"" } ?? "") == true)
    #expect(members?.contains("when") == (condition != nil))
  }

  @Test func `A type cannot replace itself`() {
    #expect(
      parse(#"@ExportService(P.self, replaces: "Cart.New")"#).problems.map(\.message)
        == ["'Cart.New' cannot replace itself; remove it from 'replaces' [replaces-itself]"])
  }

  @Test func `All arguments are read`() {
    let (source, problems) = parse(
      "@Registry.ExportService<any P>((any P<A, B>).self, // c\n scope: ServiceScope.weak, named: \"a, b)\", priority: -0x10, )"
    )
    #expect(problems.isEmpty)
    #expect(
      json(source)
        == #"{"protocol":"P<A, B>","class":"Cart.New","scope":"weak","name":"a, b)","priority":-16}"#)
  }

  @Test(arguments: ["Other.shared", ".init(rawValue: \"shared\")!", "a ? .shared : .weak"])
  func `A scope that is not a case is an error`(scope: String) {
    let expected = parse("@ExportService(P.self, scope: scope)").problems.map(\.message)
    #expect(expected.count == 1 && parse("@ExportService(P.self, scope: \(scope))").problems.map(\.message) == expected)
  }

  @Test func `An angle bracket that is not closed hides none of the arguments after it`() {
    for list in ["P.self, priority: 1 <2, scope: .later", "P.self, priority: 1<2, scope: .later", "<2, scope: .later"] {
      #expect(parse("@ExportService(\(list))").problems.count == 2, "\(list)")
    }
  }

  @Test func `Defaults are those of the macro`() {
    for arguments in ["", ", named: nil", ", scope: .transient, priority: 0, separateInstance: false"] {
      #expect(members(arguments) == "")
    }
  }

  @Test(arguments: [
    ".shared", "ServiceScope.shared", "Registry.ServiceScope.shared", "Registry::ServiceScope.shared",
    ".`shared`",
  ])
  func `A scope can be qualified with its type`(text: String) {
    #expect(members(", scope: \(text)") == #","scope":"shared""#)
  }

  @Test(arguments: [
    (
      "scope: scope",
      "'scope' must be written as '.transient', '.shared', '.weak', or '.cached(\"name\")'; "
        + "the attribute cannot evaluate expressions [not-a-literal]"
    ),
    (
      "named: name",
      "'named' must be a string literal on one line such as '\"name\"'; the attribute cannot evaluate expressions [not-a-literal]"
    ),
    (
      "named: \"\\(x)\"",
      "'named' must be a string literal without interpolation; "
        + "the attribute cannot evaluate expressions [not-a-literal]"
    ),
    (
      "replaces: name",
      "'replaces' must be a string literal on one line such as '\"name\"', or a type such as 'T.self'; "
        + "the attribute cannot evaluate expressions [not-a-literal]"
    ),
    ("replaces: \"\"", "'replaces' must not be empty [invalid-name]"),
    (
      "when: condition",
      "'when' must be written as '.debug', '.release', '.preview', '.test', or '.flag(\"name\")'; "
        + "the attribute cannot evaluate expressions [not-a-literal]"
    ),
    ("named: \"\"", "'named' must not be empty [invalid-name]"),
    ("named: \"a\\u{7}\"", "'named' must not contain control characters such as line breaks [invalid-name]"),
    (
      "priority: 1 + 1",
      "'priority' must be an integer literal such as '10' or '-5'; "
        + "the attribute cannot evaluate expressions [not-a-literal]"
    ),
    ("priority: 0x8000000000000000", "'priority' does not fit in a signed 64-bit integer [integer-too-large]"),
    (
      "lazy: true",
      "the compiler plugin does not support the argument 'lazy'; "
        + "rebuild the package and the plugin [unknown-argument]"
    ),
  ])
  func `An argument that cannot be read is an error at its location`(argument: String, message: String) throws {
    let text = "\n /// é\n@ExportService(P.self, \(argument))"
    let problem = try #require(parse(text).problems.first)
    #expect(problem.message == message)
    let value = argument.split(separator: ":", maxSplits: 1)[1].dropFirst()
    let range = try #require(problem.highlights.first)
    // The attribute is 100 bytes into the file.
    let bytes = Array(text.utf8)[(range.startOffset - 100)..<(range.endOffset - 100)]
    #expect(String(decoding: bytes, as: UTF8.self) == String(value))
  }

  @Test func `Every mistake is reported`() {
    #expect(parse("@ExportService(P, scope: x, named: y, priority: z)").problems.count == 4)
    let problem = parse("@ExportService(P.self, scope: .cached(name))").problems.first
    #expect(problem?.message.hasPrefix("the name in '.cached' must be a string literal on one line") == true)
  }

  @Test(arguments: [
    "", "@", "@ExportService", "@ExportService(", "@ExportService()", "@ExportService(,)", "@ExportService(:",
    "@ExportService(P:",
    "@ExportService(P.self, scope:)",
  ])
  func `Broken attributes are rejected`(text: String) {
    #expect(!parse(text).problems.isEmpty)
  }
}
