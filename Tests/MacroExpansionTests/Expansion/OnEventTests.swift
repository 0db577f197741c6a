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
    let features = BuildConfiguration(features: ["BareSlashRegexLiterals"], targetObjectFileFormats: nil)
    #expect(json(expansion(request, features).source)?.hasSuffix("\"once\":true}") == true)
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
    ("#onEvent(.a, priority: x) {}", Problem.notAnInteger("priority", of: "macro", at: nil), 123..<124),
    ("#onEvent(.a, priority: 0x8000000000000000) {}", .integerTooLarge("priority", at: nil), 123..<141),
    ("#onEvent(.a, once: yes()) {}", .notABoolean("once", of: "macro", at: nil), 119..<124),
    ("#onEvent(.a, once: `true`) {}", .notABoolean("once", of: "macro", at: nil), 119..<125),
    ("#onEvent(.a, later: 1) {}", .unknownArgument("later", at: nil), 120..<121),
    ("#onEvent() {}", .missingFirst(.onEvent), 100..<113),
    (" #onEvent(priority: 1) {}", .missingFirst(.onEvent), 101..<125),
    ("#onEvent", .missingFirst(.onEvent), 100..<108),
  ])
  func `An argument that cannot be read is an error at its location`(
    source: String, problem: Problem, place: Range<Int>
  ) {
    let (source, diagnostics) = expansion(request("OnEvent", source))
    #expect(source == nil)
    #expect(diagnostics.map(\.message) == [problem.message])
    #expect(
      diagnostics.first?.highlights
        == [.init(fileName: "/src/Cart.swift", startOffset: place.lowerBound, endOffset: place.upperBound)])
  }

  /// Checks all macros that make a record without a type.
  @Test(arguments: [
    ("func f() ", "declaration", FreeMacro.onEvent, Problem.localHandler(.onEvent)),
    ("{ x in }", "expression", .onEvent, .localHandler(.onEvent)),
    ("struct G<T> {}", "declaration", .onEvent, .genericHandler(.onEvent, "G")),
    ("extension [Int] {}", "declaration", .onEvent, .genericHandler(.onEvent, "")),
    ("extension Array where Element == Int {}", "declaration", .onEvent, .genericHandler(.onEvent, "Array")),
    ("protocol P {}", "declaration", .onEvent, .handlerInProtocol(.onEvent, "P")),
    ("func f() ", "declaration", .exportRoute, .localHandler(.exportRoute)),
    ("struct G<T> {}", "declaration", .exportRoute, .genericHandler(.exportRoute, "G")),
    ("protocol P {}", "declaration", .exportAction, .handlerInProtocol(.exportAction, "P")),
    ("func f() ", "declaration", .exportAction, .localHandler(.exportAction)),
  ])
  func `Locations that cannot contain a record are errors`(
    outer: String, kind: String, macro: FreeMacro, problem: Problem
  ) throws {
    let (type, arguments, alternative) = try #require(
      [
        "#onEvent": ("OnEvent", "(.a) {}", "modules.on(…)"),
        "#exportRoute": ("ExportRoute", "(.a) {}", "router.register(…)"),
        "#exportAction": ("ExportAction", "(\"a\", \"b\") {}", "router.registerAction(…)"),
      ][macro.name])
    let diagnostics = expansion(request(type, macro.name + arguments, in: [outer], kind: kind)).diagnostics
    #expect(diagnostics.map(\.message) == [problem.message])
    #expect(Problem.localHandler(macro).message.contains(alternative))
  }

  @Test func `A handler that only the discriminator shows to be local is an error`() {
    var request = request("OnEvent", "#onEvent(.a) {}")
    request.discriminator = "$s4main5L_$l07onEventfMf_"
    #expect(expansion(request).diagnostics.map(\.message) == [Problem.localHandler(.onEvent).message])
  }

  @Test func `An unknown object file format is an error that names the alternative at run time`() {
    let request = request("OnEvent", "#onEvent(.a) {}")
    let diagnostics = expansion(request, .init(features: nil, targetObjectFileFormats: ["COFF"])).diagnostics
    #expect(
      diagnostics.map(\.message) == [
        Problem.objectFormat("#onEvent", "COFF", atRunTime: FreeMacro.onEvent.atRunTime).message
      ])
    #expect(diagnostics.first?.message.contains("modules.on(…)") == true)
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
