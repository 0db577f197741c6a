import Foundation
import Testing

@testable import MacroExpansion

@Suite struct OnEventTests {
  @Test func `A handler becomes a record in a type of its own`() {
    let (source, diagnostics) = expansion(request("OnEvent", "#onEvent(.ping) { context in print(context) }"))
    #expect(diagnostics.isEmpty)
    #expect(
      withoutWords(source) == """
        private nonisolated enum $s4Cart0014Cartswift_fMX11_0_7onEventfMf_8RegistryfMu_ {
        private typealias __Here = $s4Cart0014Cartswift_fMX11_0_7onEventfMf_8RegistryfMu_
        #if objectFormat(MachO)
        @section("__DATA,__reg_exports,regular,no_dead_strip")
        #elseif objectFormat(ELF)
        @section(".note.registry")
        #endif
        @used
        private static let __record: (
          Swift::UInt32, Swift::UInt32, Swift::UInt32, Swift::UInt32, Swift::UInt32, Swift::UInt32, \
        @convention(c) (Swift::UnsafeMutableRawPointer, Swift::UnsafeRawPointer?, Swift::UInt) -> Swift::Bool, \
        Swift::UInt64, Swift::UInt64, Swift::UInt64, Swift::UInt64, Swift::UInt64, Swift::UInt64, Swift::UInt64
        ) = (
          9, 64, 0x65766e74, 0x69676552, 0x79727473, 0, \
        { @Sendable __out, __type, _ in
        return unsafe Lifecycle::__provideHandler(__out, __type) { __handlers in
        #sourceLocation(file: "/src/Cart.swift", line: 11)
        __handlers
             .on(.ping) { context in print(context) }
        #sourceLocation()
        }
        }, WORDS
        )
        }
        """)
    #expect(json(source) == #"{"event":".ping","handler":"Cart/Cart.swift:12:1"}"#)
  }

  /// Returns an expansion with a placeholder for the JSON of its record.
  private func withoutWords(_ source: String?) -> String? {
    source?.split(separator: "\n").map { $0.hasPrefix("}, ") ? "}, WORDS" : $0 }.joined(separator: "\n")
  }

  @Test func `In a type the record is a static constant of it`() {
    let source = expansion(request("OnEvent", "#onEvent(.ping) { _ in }", in: ["struct A {}", "extension Cart.B {}"]))
      .source
    #expect(source?.hasPrefix("#if objectFormat(MachO)\n") == true)
    #expect(
      source?.contains("@used\nprivate static let $s4Cart0014Cartswift_fMX11_0_7onEventfMf_8RegistryfMu_: (") == true)
  }

  @Test func `Priority and once go into the JSON, and all arguments into the call`() {
    let text = "(.ping, priority: -0x10, once: true, taskPriority: .utility) {\n  await f()\n}"
    let source = expansion(request("OnEvent", "#onEvent\(text)")).source
    #expect(
      json(source) == #"{"event":".ping","handler":"Cart/Cart.swift:12:1","priority":-16,"once":true}"#)
    #expect(source?.contains("line: 11)\n__handlers\n     .on\(text)\n#sourceLocation()\n") == true)
  }

  @Test(arguments: [
    ("(.ping, handler: f)", ".ping"), ("(Event<User, Void>.in(\"x\")) { }", #"Event<User, Void>.in("x")"#),
    ("(.a /* b */ . c) {}", ".a.c"), ("(Event(\"x\"), once: false, priority: 0) {}", #"Event("x")"#),
  ])
  func `The JSON contains the event as it was written`(text: String, event: String) {
    let source = expansion(request("OnEvent", "#onEvent\(text)")).source
    #expect(json(source) == "{\"event\":\(JSONObject.quoted(event)),\"handler\":\"Cart/Cart.swift:12:1\"}")
    #expect(withoutLocations(source)?.contains("__handlers.on\(text)\n") == true)
  }

  @Test func `A handler is named by its position after white space and comments`() {
    func place(_ source: String, column: Int = 1) -> String? {
      guard let json = json(expansion(request("OnEvent", source, column: column)).source),
        let start = json.range(of: "\"handler\":\"Cart/Cart.swift:")
      else { return nil }
      return String(json[start.upperBound...].dropLast(2))
    }
    #expect(place(" #onEvent(.a) {}", column: 30) == "12:31")
    #expect(place("\n\n  /// x\r\n  #onEvent(.a) {}", column: 30) == "15:3")
    #expect(place("/* é\n*/#onEvent(.a) {}", column: 30) == "13:3")
  }

  @Test func `The lines between the macro's name and its arguments are counted`() {
    let source = expansion(request("OnEvent", "\n#onEvent /*\n\n*/ (.a) {}")).source
    #expect(source?.contains("#sourceLocation(file: \"/src/Cart.swift\", line: 14)\n__handlers\n.on(.a) {}") == true)
    // The compiler counts a carriage return, a line feed, and both together as the end of one line.
    for (text, line) in [("\r#onEvent /*\r\r*/ (.a) {}", 14), ("#onEvent /*\r\n\r\n*/ (.a) {}", 13)] {
      let source = expansion(request("OnEvent", text)).source
      #expect(source?.contains("line: \(line))\n__handlers\n.on(.a) {}") == true, "\(text.debugDescription)")
    }
  }

  @Test func `A regex literal is recognized where the compiler recognizes it`() {
    let request = request("OnEvent", #"#onEvent(.a(/[)"]/), once: true) {}"#)
    #expect(json(expansion(request, Configuration.regex).source)?.hasSuffix("\"once\":true}") == true)
    #expect(json(expansion(request).source)?.hasSuffix("\"once\":true}") != true)
  }

  @Test func `A module or generic arguments with the name are not passed on`() {
    let source = expansion(request("OnEvent", "#Lifecycle::onEvent<User, [Int]>(.a) { x in f<Int>(x) }")).source
    #expect(withoutLocations(source)?.contains("\n__handlers.on(.a) { x in f<Int>(x) }\n") == true)
  }

  @Test func `A file whose name has a space is named`() {
    let source = expansion(request("OnEvent", "#onEvent(.a) {}", file: "/my app/Cart.swift")).source
    #expect(source?.contains("#sourceLocation(file: \"/my app/Cart.swift\", line: 11)") == true)
  }

  @Test(arguments: ["/a\"b/Cart.swift", "/a\\b/Cart.swift", "/a\nb/Cart.swift", ""])
  func `A file whose name would need escapes is not named`(file: String) {
    let source = expansion(request("OnEvent", "#onEvent(.a) {}", file: file)).source
    #expect(source?.contains("{ __handlers in\n\n__handlers.on(.a) {}\n\n}\n}, 0x") == true)
  }

  @Test(arguments: [
    ("#onEvent(.a, priority: x) {}", Self.notAnInteger, 123..<124),
    (
      "#onEvent(.a, priority: 0x8000000000000000) {}",
      "'priority' does not fit in a signed 64-bit integer [integer-too-large]", 123..<141
    ),
    ("#onEvent(.a, once: yes()) {}", Self.notABoolean, 119..<124),
    ("#onEvent(.a, once: `true`) {}", Self.notABoolean, 119..<125),
    ("#onEvent(.a, later: 1) {}", Problem.unknownArgument("later").message, 120..<121),
    ("#onEvent() {}", Self.missingEvent, 100..<113),
    (" #onEvent(priority: 1) {}", Self.missingEvent, 101..<125),
    ("#onEvent", Self.missingEvent, 100..<108),
  ])
  func `An argument that cannot be read is an error at its location`(
    source: String, problem: String, place: Range<Int>
  ) {
    let (source, diagnostics) = expansion(request("OnEvent", source))
    #expect(source == nil)
    #expect(diagnostics.map(\.message) == [problem])
    #expect(
      diagnostics.first?.highlights
        == [.init(fileName: "/src/Cart.swift", startOffset: place.lowerBound, endOffset: place.upperBound)])
  }

  private static let notAnInteger =
    "'priority' must be an integer literal such as '10' or '-5'; the macro cannot evaluate expressions [not-a-literal]"
  private static let notABoolean =
    "'once' must be written as 'true' or 'false'; the macro cannot evaluate expressions [not-a-literal]"
  private static let missingEvent =
    "'#onEvent' requires an event, as in '#onEvent(.userDidLogIn) { user, context in … }' [missing-argument]"

  /// The macros that make a record without a type, with arguments and the alternative at run time.
  private static let macros = [
    "onEvent": ("(.a) {}", "subscribe with 'modules.on(…)'"),
    "exportRoute": ("(.a) {}", "register the handler with 'router.register(…)'"),
    "exportAction": ("(\"a\", \"b\") {}", "register the action with 'router.registerAction(…)'"),
    "contribute": ("(.a) {}", "register the value with 'services.contribute(to:)'"),
    "needs": ("(A.self)", "call 'modules.require(…)'"),
  ]

  private func use(of macro: String, in outer: String, kind: String = "declaration") throws -> MacroRequest {
    request(
      macro.prefix(1).uppercased() + macro.dropFirst(), "#\(macro)\(try #require(Self.macros[macro]).0)", in: [outer],
      kind: kind)
  }

  @Test(arguments: Self.macros.keys)
  func `Locations that cannot contain a record are errors`(macro: String) throws {
    let start = "'#\(macro)' cannot be used in "
    let alternative = try #require(Self.macros[macro]).1
    let local =
      "\(start)a function, closure, or statement; move it to the top level of a file or into a type, or \(alternative)"
      + " [local-declaration]"
    #expect(messages(try use(of: macro, in: "func f() ")) == [local])
    #expect(messages(try use(of: macro, in: "{ x in }", kind: "expression")) == [local])
    let generic = "generic type or constrained extension"
    let fix = "; move it to the top level of the file"
    for (outer, type) in [
      ("struct G<T> {}", "the \(generic) 'G'"), ("extension [Int] {}", "a \(generic)"),
      ("extension Array where Element == Int {}", "the \(generic) 'Array'"),
    ] {
      #expect(messages(try use(of: macro, in: outer)) == ["\(start)\(type)\(fix) [generic-type]"])
    }
    #expect(
      messages(try use(of: macro, in: "protocol P {}"))
        == ["\(start)the protocol 'P'\(fix) [declared-in-protocol]"])
  }

  @Test func `A handler that only the discriminator shows to be local is an error`() {
    var request = request("OnEvent", "#onEvent(.a) {}")
    request.discriminator = "$s4main5L_$l07onEventfMf_"
    #expect(messages(request).map { $0.hasSuffix("[local-declaration]") } == [true])
  }

  @Test func `An unknown object file format is an error that names the alternative at run time`() {
    let messages = messages(request("OnEvent", "#onEvent(.a) {}"), Configuration.coff)
    #expect(messages.count == 1 && messages[0].hasPrefix("'#onEvent' requires the object file format Mach-O or ELF"))
    #expect(messages[0].hasSuffix(" and subscribe with 'modules.on(…)' [object-format]"))
  }

  @Test(arguments: corpus)
  func `Any text gives an expansion or a reason`(specimen: Specimen) {
    for macro in ["OnEvent", "ExportRoute", "ExportAction", "Pattern"] {
      for text in [
        specimen.source, "#m(\(specimen.source)", "#m(.a) { \(specimen.source) }",
        "#m(\"a\", \"b\") { \(specimen.source) }",
      ] {
        let (source, diagnostics) = expansion(request(macro, text))
        #expect((source == nil) == !diagnostics.isEmpty)
      }
    }
  }
}
