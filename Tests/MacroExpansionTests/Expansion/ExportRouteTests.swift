import Testing

@testable import MacroExpansion

@Suite struct ExportRouteTests {
  private func lines(_ source: String?) -> String? {
    source?.split(separator: "\n").map { $0.contains(", 0x") ? $0.prefix { $0 != "}" } + "} WORDS" : $0 }
      .joined(separator: "\n")
  }

  @Test func `a route's handler becomes a record and a function that names both, in a type of their own`() {
    let (source, diagnostics) = expansion(request("ExportRoute", "#exportRoute(.order) { p, r in await f(p) }"))
    #expect(diagnostics.isEmpty)
    let name = "$s4Cart0014Cartswift_fMX11_0_7onEventfMf_8RegistryfMu_"
    #expect(
      source?.hasPrefix("private enum \(name) {\nprivate typealias __Here = \(name)\n#if objectFormat(MachO)\n") == true
    )
    #expect(source?.contains("@section(\"__DATA,__reg_exports,regular,no_dead_strip\")") == true)
    #expect(source?.contains("0x726f7574, 0x69676552") == true)
    #expect(source?.contains("return unsafe Routing::__provideRoute(__out, __type, __function)\n}, 0x") == true)
    #expect(
      source?.hasSuffix(
        """
        private static func __function(_ __routes: Routing::__RouteHandlers) {
        #sourceLocation(file: "/src/Cart.swift", line: 11)
        __routes
                 .on(.order) { p, r in await f(p) }
        #sourceLocation()
        }
        }
        """) == true, "\(source ?? "")")
    #expect(json(source) == #"{"route":".order","handler":"Cart/Cart.swift:12:1"}"#)
  }

  @Test func `in a type the record and the function are static members of it`() {
    let source = expansion(request("ExportRoute", "#exportRoute(.order) { p in p }", in: ["struct A {}"])).source
    let start = "$s4Cart0014Cartswift_fMX11_0_7onEventfMf_8"
    #expect(source?.contains("private static let \(start)RegistryfMu_: (") == true)
    #expect(
      source?.contains("private static func \(start)functionfMu_(_ __routes: Routing::__RouteHandlers) {") == true)
    #expect(source?.contains("__provideRoute(__out, __type, \(start)functionfMu_)") == true)
  }

  @Test(arguments: [
    ("(.order, handler: f)", ".order"), ("(Route<A, [B]>.order) { await $0 }", "Route<A, [B]>.order"),
    ("(.a /* b */ . c) { async let a = f() }", ".a.c"),
    ("(.a(x && y, -1)) { await $0 }", ".a(x && y, -1)"), ("(.a(x&&y || !z)) { await $0 }", ".a(x&&y || !z)"),
    ("(.a(1 &+ 2, x&<<y)) { await $0 }", ".a(1 &+ 2, x&<<y)"),
    ("(.a(x >= 1)) { await $0 }", ".a(x >= 1)"), ("(.a(x <= -y)) { await $0 }", ".a(x <= -y)"),
    ("(.a(x ? y : z)) { await $0 }", ".a(x ? y: z)"), ("(.a(x ?? [ -1 ])) { await $0 }", ".a(x ?? [-1])"),
  ])
  func `the JSON contains the route as it was written`(text: String, route: String) {
    let source = expansion(request("ExportRoute", "#Routing::exportRoute<A, B>\(text)")).source
    #expect(json(source) == "{\"route\":\(JSONObject.quoted(route)),\"handler\":\"Cart/Cart.swift:12:1\"}")
    #expect(withoutLocations(source)?.contains("\n__routes.on\(text)\n") == true)
  }

  @Test(arguments: [
    ("(.a) { p in p }", true), ("(.a) {}", true), ("(.a, handler: { p, r in f(p.awaiting) })", true),
    ("(.a) { \"await\" }", true), ("(.a, handler: f)", false), ("(.a) { await f() }", false),
    ("(.a) { () async in 1 }", false), ("(.a) { \"\\(await f())\" }", false),
    ("(.a) { \"\\(await(f()))\" }", false), ("(.a) { \"awaiting\\n\" }", true),
    ("(.a) { #screen }", false), ("(.a) { \"\\(#screen)\" }", false), ("(.a) { async let a = f() }", false),
    ("(.a, handler: measured { p in p })", false), ("(.a, handler: { p in { p } }(1))", false),
    ("(.a, handler: f) { p in p }", true), ("(f { 1 }, handler: f)", false), ("(f { await g() }) { p in p }", true),
    ("(.a) { if #available(macOS 15, *) { 1 } else { 2 } }", true), ("(.a) {\n#if X\n1\n#else\n2\n#endif\n}", true),
    ("(.a) { f(#colorLiteral(red: 1), #imageLiteral(resourceName: \"\"), #fileLiteral(resourceName: \"\")) }", true),
    ("(.a) {\n #sourceLocation(file: \"a\", line: 3)\n#warning(\"b\")\n #sourceLocation()\n}", true),
    ("(.a) { if #_hasSymbol(f) { g(dso: #dsohandle) } }", true), ("(.a) { #line2 }", false), ("(.a) { #_line }", false),
    ("(.a) { f(#selector(g), #keyPath(A.b), #line) }", true), ("(.a) { \"\\(#fileID) \\(#function)\" }", true),
    ("(.a) { \"\\(#line) \\(#screen)\" }", false), ("(.a) { #\"a#b (#screen) \\#(#line)\"# }", false),
    ("(.a) { \"Please await the reply (#1)\" }", true), ("(.a) { #\"\\#(await f())\"# }", false),
    ("(.a) { @MainActor @Sendable p in p }", true), ("(.a) { p in f { @concurrent in 1 } }", true),
  ])
  func `a closure without await can be called by synchronous code`(text: String, isSynchronous: Bool) {
    let source = withoutLocations(expansion(request("ExportRoute", "#exportRoute\(text)")).source)
    #expect(
      source?.contains("\n__routes.\(isSynchronous ? "onNow" : "on")\(text)\n") == true, "\(source ?? "")")
  }

  @Test(arguments: [
    ("{ id in id }", "      .onNow"), ("{ await $0 }", "         .on"), ("{ @concurrent in }", " .offMain.on"),
  ])
  func `the arguments keep their column at the start of a line`(handler: String, method: String) {
    let source = expansion(request("ExportRoute", "#exportRoute(.a) \(handler)")).source
    #expect(source?.contains("\n__routes\n\(method)(.a) \(handler)\n") == true, "\(source ?? "")")
  }

  @Test(arguments: [
    "@available(macOS 99, *) ", "@available(macOS, introduced: 99)\n@A<B>(c) private ",
    "#if os(macOS)\n@A(#f)\n#endif\n",
  ])
  func `attributes before a macro are not its arguments`(attributes: String) {
    for (macro, name, method) in [("ExportRoute", "exportRoute<Int>", "onNow"), ("OnEvent", "onEvent", "on")] {
      let source = expansion(request(macro, "\(attributes)#\(name)(.a) { id in id }")).source
      #expect(json(source)?.contains(#"":".a""#) == true, "\(source ?? "")")
      #expect(source?.contains(".\(method)(.a) { id in id }") == true, "\(source ?? "")")
      let guarded = "guard #available(macOS 99, *) else { return false }\nreturn unsafe"
      #expect(source?.contains(guarded) == attributes.contains("99"), "\(source ?? "")")
    }
  }

  @Test(arguments: [
    ("(.a) { @concurrent p in p }", true), ("(.a, handler: { @Sendable @concurrent in await f() })", true),
    ("(.a) { concurrent in await f() }", false), ("(.a, handler: f)", false),
    ("(.a) { await f { @concurrent in 1 } }", false), ("(.a, handler: f { @concurrent in 1 })", false),
    ("(.a, handler: { @concurrent in f }(1))", false), ("(.a) { @isolated(any) @concurrent in 1 }", true),
  ])
  func `a concurrent closure does not wait for the main actor`(text: String, isConcurrent: Bool) {
    let source = withoutLocations(expansion(request("ExportRoute", "#exportRoute\(text)")).source)
    #expect(source?.contains("\n__routes.\(isConcurrent ? "offMain.on" : "on")\(text)\n") == true, "\(source ?? "")")
  }

  @Test func `the JSON contains an action's names, and its access if it is not internal`() {
    let text = "(\"orders\", #\"sh\"ow\"#, access: .remote) { (p: P) in p }"
    let source = expansion(request("ExportAction", "#exportAction\(text)")).source
    #expect(
      json(source) == #"{"target":"orders","action":"sh\"ow","handler":"Cart/Cart.swift:12:1","access":"remote"}"#)
    #expect(
      withoutLocations(source)?.contains("\n__routes.action\(text)\n") == true && source?.contains("0x6163746e") == true
    )
    #expect(source?.contains("@section(\"__DATA,__reg_exports,regular,no_dead_strip\")") == true)
    let plain = expansion(request("ExportAction", "#exportAction(\"a\", \"b\", access: RouteOrigin.local) {}"))
      .source
    #expect(json(plain) == #"{"target":"a","action":"b","handler":"Cart/Cart.swift:12:1"}"#)
  }

  @Test(arguments: [
    ("ExportRoute", "#exportRoute() {}", Self.missingRoute), ("ExportRoute", "#exportRoute", Self.missingRoute),
    ("ExportRoute", "#exportRoute(.a, priority: 1) {}", Problem.unknownArgument("priority").message),
    (
      "ExportAction", "#exportAction(\"a\") {}",
      "'#exportAction' requires a target and an action, as in "
        + "'#exportAction(\"orders\", \"show\") { (parameters: ShowOrder) in … }' [missing-argument]"
    ),
    (
      "ExportAction", "#exportAction(name, \"b\") {}",
      Self.notALiteral("target", "a string literal on one line such as '\"name\"'")
    ),
    (
      "ExportAction", "#exportAction(\"a\", \"b\\(1)\") {}",
      Self.notALiteral("action", "a string literal without interpolation")
    ),
    ("ExportAction", "#exportAction(\"\", \"b\") {}", "'target' must not be empty [invalid-name]"),
    (
      "ExportAction", "#exportAction(\"a\", \"b\", access: x) {}",
      Self.notALiteral("access", "written as '.local' or '.remote'")
    ),
    ("ExportAction", "#exportAction(\"a\", \"b\", later: 1) {}", Problem.unknownArgument("later").message),
    (
      "Pattern", "#pattern",
      "'#pattern' requires one pattern, as in '#pattern(\"shop://order/:id(Int)\")' [missing-argument]"
    ),
    ("Pattern", "#pattern(\"a://b\", 1)", Problem.unknownArgument(nil).message),
    ("Pattern", "#pattern(text)", Self.notALiteral("pattern", "a string literal on one line such as '\"name\"'")),
    ("Pattern", "#pattern(\"a://\\(b)\")", Self.notALiteral("pattern", "a string literal without interpolation")),
    (
      "Pattern", "#pattern(\"\")",
      "malformed URL pattern: missing scheme; write the whole pattern, as in 'shop://order/:id' [malformed-pattern]"
    ),
  ])
  func `an argument that cannot be read is an error`(macro: String, source: String, problem: String) {
    let (source, diagnostics) = expansion(request(macro, source))
    #expect(source == nil && diagnostics.map(\.message) == [problem])
  }

  private static let missingRoute =
    "'#exportRoute' requires a route, as in '#exportRoute(.orderDetail) { parameters, request in … }' [missing-argument]"

  private static func notALiteral(_ label: String, _ requirement: String) -> String {
    "'\(label)' must be \(requirement); the macro cannot evaluate expressions [not-a-literal]"
  }

  @Test func `A plugin without a parser of patterns has no macro for them`() {
    var session = Session()
    let answer = session.expand(request("Pattern", "#pattern(\"a://b\")"))
    #expect(answer.contains("the compiler plugin has no macro 'PatternMacro'"))
  }

  // MARK: - Attribute on a type

  @Test func `a type becomes a record and a function that names its initializer`() {
    let (source, diagnostics) = expansion(
      request(
        "ExportRouteType", "@ExportRoute(.order)", on: "final class `Order` { init(_ p: P) {} }", named: "ExportRoute"))
    #expect(diagnostics.isEmpty)
    #expect(source?.hasPrefix("private enum __route_Order {\n") == true)
    #expect(source?.contains("@used\nprivate static let __record: (") == true)
    #expect(source?.contains("@section(\"__DATA,__reg_exports,regular,no_dead_strip\")") == true)
    #expect(source?.contains("0x726f7574, 0x69676552") == true)
    #expect(
      withoutLocations(source)?.hasSuffix(
        """
        private static func __function(_ __routes: Routing::__RouteHandlers) {
        let __checked = __routes.check(.order, `Order`.self) { $0 }
        __checked.make(.order, `Order`.init)
        }
        }
        """) == true, "\(source ?? "")")
    #expect(json(source) == #"{"route":".order","class":"Cart.Order"}"#)
  }

  @Test func `a type for newer systems is used only on those systems`() {
    let source = expansion(
      request(
        "ExportRouteType", "@ExportRoute(.order)", on: "@available(macOS 14, *) struct Order { init(_ p: P) {} }",
        named: "ExportRoute")
    ).source
    #expect(source?.contains("guard #available(macOS 14, *) else { return false }\nreturn unsafe Routing::") == true)
    #expect(source?.contains("\n@available(macOS 14, *)\nprivate static func __function") == true)
  }

  @Test func `a generic type, and anything but a type, is an error`() {
    func messages(_ declaration: String, _ attribute: String = "@ExportRoute(.a)") -> [String] {
      expansion(request("ExportRouteType", attribute, on: declaration, named: "ExportRoute")).diagnostics.map(\.message)
    }
    #expect(
      messages("func f() {}") == [
        "'@ExportRoute' cannot be applied to a function; apply it to a class, struct, actor, or enum [not-a-type]"
      ])
    #expect(
      messages("struct G<T> {}") == [
        "'@ExportRoute' cannot be applied to the generic type 'G', because its generic arguments are unknown; export a"
          + " type that is not generic and that wraps or inherits from 'G' [generic-type]"
      ])
    #expect(
      messages("struct A {}", "@ExportRoute") == [
        "'@ExportRoute' requires a route, as in '@ExportRoute(.orderDetail)' [missing-argument]"
      ])
  }

  @Test func `two attributes for one route are an error at the second`() {
    func messages(_ attributes: String, number: String = "") -> [String] {
      expansion(
        request(
          "ExportRouteType", "@ExportRoute(.a)", on: "\(attributes) struct A { init(_ p: P) {} }",
          discriminator: "$s4Cart1A11ExportRoutefMp\(number)_", named: "ExportRoute")
      ).diagnostics.map(\.message)
    }
    let twice = [
      "'A' is already exported for the route '.a' by another '@ExportRoute' attribute; remove this one [exported-twice]"
    ]
    // The compiler numbers attributes from the last one.
    #expect(messages("@ExportRoute(.a) @ExportRoute( .a )") == twice)
    #expect(messages("@ExportRoute(.a) @ExportRoute(.a)", number: "0").isEmpty)
    #expect(messages("@ExportRoute(.b) @Routing.ExportRoute(.a)").isEmpty)
    #expect(messages("@ExportService(.a) @ExportRoute(.a)").isEmpty)
    #expect(messages("#if X\n@ExportRoute(.a)\n#else\n@ExportRoute(.a)\n#endif\n").isEmpty)
  }

  // MARK: - Patterns

  @Test(arguments: [
    "\"shop://order/:id(Int)\"", "#\"shop://a\"#", "\"shop:\\u{2f}/a\"",
  ])
  func `a valid pattern is passed on as it was written`(literal: String) {
    let (source, diagnostics) = expansion(request("Pattern", "#pattern(\(literal))"))
    #expect(diagnostics.isEmpty && source == "Routing::RoutePattern(__checked: \(literal))")
  }

  @Test(arguments: [
    ("\"shop://a/:\"", 120), ("\"shop://a/**/b\"", 122), ("\"x\"", 111), ("#\"shop://a/**/b\"#", 123),
    ("\"shop\\u{3a}x\"", 109),
  ])
  func `a malformed pattern is an error at its location in the literal`(literal: String, place: Int) throws {
    let (source, diagnostics) = expansion(request("Pattern", "#pattern(\(literal))"))
    let problem = try #require(diagnostics.first)
    #expect(source == nil && diagnostics.count == 1 && problem.message.hasPrefix("malformed URL pattern: "))
    #expect(problem.message.hasSuffix(" [malformed-pattern]"))
    #expect(problem.position.offset == place, "\(problem.message)")
  }

  @Test(arguments: corpus)
  func `any declaration gives an expansion or a reason`(specimen: Specimen) {
    let (source, diagnostics) = expansion(
      request("ExportRouteType", "@ExportRoute(.a)", on: specimen.source, named: "ExportRoute"))
    #expect((source == nil) == !diagnostics.isEmpty)
  }
}
