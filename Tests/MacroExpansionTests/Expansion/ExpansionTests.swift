import Foundation
import RoutePatterns
import Testing

@testable import MacroExpansion

@Suite struct ExpansionTests {
  @Test func `A service becomes a record`() {
    let (source, diagnostics) = expansion(
      request(
        "ExportService", "@ExportService(P.self)",
        on: "@ExportService(P.self)\nfinal class A: P { init() {} }"))
    #expect(diagnostics.isEmpty)
    #expect(
      source == """
        #if objectFormat(MachO)
        @section("__DATA,__reg_services,regular,no_dead_strip")
        #elseif objectFormat(ELF)
        @section(".note.registry")
        #endif
        @used
        private let __service_A: (
          Swift::UInt32, Swift::UInt32, Swift::UInt32, Swift::UInt32, Swift::UInt32, Swift::UInt32, \
        @convention(c) (Swift::UnsafeMutableRawPointer, Swift::UnsafeRawPointer?, Swift::UInt) -> Swift::Bool, \
        Swift::UInt64, Swift::UInt64, Swift::UInt64, Swift::UInt64, Swift::UInt64
        ) = (
          9, 48, 0x73657276, 0x69676552, 0x79727473, 0, \
        { @Sendable __out, __type, _ in
        #sourceLocation(file: "/src/Cart.swift", line: 1)
        let __service = Registry::__service(P.self)
        #sourceLocation()
        #sourceLocation(file: "/src/Cart.swift", line: 2)
        let __exported = Registry::__checkConversion(__service, A.self) { $0 }
        #sourceLocation()
        #sourceLocation(file: "/src/Cart.swift", line: 2)
        if unsafe Registry::__provideExported(__exported, __out, __type) { return true }
        #sourceLocation()
        #sourceLocation(file: "/src/Cart.swift", line: 2)
        if unsafe Registry::__provideNotSendable(__service, __out, __type) { return true }
        #sourceLocation()
        #sourceLocation(file: "/src/Cart.swift", line: 1)
        return unsafe (
                    Registry::__provide(__service, __out, __type, A.init))
        #sourceLocation()
        }, \
        0x636f746f7270227b, 0x2c2250223a226c6f, 0x3a227373616c6322, 0x22412e7472614322, 0x7d
        )
        """)
    #expect(json(source) == #"{"protocol":"P","class":"Cart.A"}"#)
  }

  @Test func `A service that replaces another one, or has a condition, states this in its record`() {
    func expand(_ arguments: String) -> String? {
      expansion(request("ExportService", "@ExportService(P.self, \(arguments))", on: "struct New: P {}")).source
    }
    #expect(
      json(expand(#"replaces: "Cart.Old", when: .flag("new")"#))
        == #"{"protocol":"P","class":"Cart.New","replaces":"Cart.Old","when":"flag(new)"}"#)
    let type = expand("replaces: Old.self")
    #expect(json(type) == #"{"protocol":"P","class":"Cart.New","replacesType":"Old"}"#)
    #expect(
      withoutLocations(type)?.contains(
        "if unsafe Registry::__provideReplaced(Old.self, __out, __type) { return true }") == true)
  }

  @Test(arguments: ["debug", "release"])
  func `A record whose condition is the build exists in every build, which it states`(condition: String) throws {
    let source = try #require(
      expansion(request("ExportService", "@ExportService(P.self, when: .\(condition))", on: "struct New: P {}")).source)
    let parts = source.components(separatedBy: "\n#else\n")
    #expect(parts.count == 2 && parts[0].hasPrefix("#if DEBUG\n") && parts[1].hasSuffix("\n#endif"))
    for (part, build) in zip(parts, ["debug", "release"]) {
      #expect(
        json(part)
          == #"{"protocol":"P","class":"Cart.New","when":"\#(condition)","build":"\#(build)"}"#)
    }
  }

  @Test func `A module becomes a record`() {
    let (source, diagnostics) = expansion(
      request(
        "ExportModule", "@ExportModule(level: .basic, priority: 1_0, after: [\"A.B\"])",
        on: "final class CartModule: Module { init() {} }", in: ["enum Outer {}"]))
    #expect(diagnostics.isEmpty)
    #expect(source?.contains("@section(\"__DATA,__reg_modules,regular,no_dead_strip\")") == true)
    #expect(source?.contains("private static let __module_CartModule: (") == true)
    #expect(
      withoutLocations(source)?.contains(
        "0x6d6f6475, 0x69676552, 0x79727473, 0, { @Sendable __out, __type, _ in\n"
          + "return unsafe (Lifecycle::__provideModule(CartModule.self, __out, __type))\n}"
      )
        == true)
    #expect(
      json(source) == #"{"module":"Cart.Outer.CartModule","level":"basic","priority":10,"after":["A.B"]}"#)
    let late = expansion(
      request(
        "ExportModule",
        "@ExportModule(activation: .onFirstEvent, initialization: .inNextTurn, replaysMissedPhases: true)",
        on: "final class CartModule: Module { init() {} }")
    ).source
    #expect(
      json(late)
        == #"{"module":"Cart.CartModule","activation":"onFirstEvent","initialization":"inNextTurn","catchUp":true}"#)
  }

  @Test func `A module that follows types returns them in its accessor`() {
    let (source, diagnostics) = expansion(
      request("ExportModule", "@ExportModule(after: [A.self, B.C.self])", on: "final class CartModule: Module {}"))
    #expect(diagnostics.isEmpty)
    #expect(
      withoutLocations(source)?.contains(
        "return unsafe (Lifecycle::__provideModule(CartModule.self, after: [A.self, B.C.self], __out, __type))") == true
    )
    #expect(json(source) == #"{"module":"Cart.CartModule","afterTypes":["A","B.C"]}"#)
  }

  @Test func `A record contains the source location of its attribute`() {
    func record(_ macro: String, _ attribute: String) -> String? {
      let declaration = "final class A: Module { init() {} }"
      return json(expansion(request(macro, attribute, on: declaration, line: 7)).source)
    }
    #expect(
      record("ExportModule", "@ExportModule(level: .basic)")
        == #"{"module":"Cart.A","level":"basic","at":"Cart/Cart.swift:7:3"}"#)
    // The location of the syntax is that of the comment before the attribute.
    #expect(
      record("ExportService", "// A comment.\n @ExportService(P.self)")
        == #"{"protocol":"P","class":"Cart.A","at":"Cart/Cart.swift:8:2"}"#)
    #expect(
      record("ExportRouteType", "@ExportRoute(.order)")
        == #"{"route":".order","class":"Cart.A","at":"Cart/Cart.swift:7:3"}"#)
  }

  @Test func `A macro is recognized by its name, regardless of the module before it`() {
    func isExpanded(_ name: String) -> Bool {
      let (source, diagnostics) = expansion(
        request("ExportModule", "@\(name)", on: "final class CartModule: Module { init() {} }", named: name))
      return source != nil && diagnostics.isEmpty
    }
    for name in ["AZ_az09.ExportModule", "AZ_az09::ExportModule", "`é`.ExportModule", "ExportModule /* c */"] {
      #expect(isExpanded(name), "\(name)")
    }
  }

  @Test func `The expansion for a shared service requires Sendable`() {
    let source = expansion(
      request(
        "ExportService", "@ExportService((any `P`).self, scope: .shared, named: \"é\\\"\", priority: -5)",
        on: "struct `class` {}")
    ).source
    #expect(
      withoutLocations(source)?.contains(
        "{ @Sendable __out, __type, _ in\nlet __service = Registry::__service((any `P`).self)\n"
          + "let __exported = Registry::__checkConversion(__service, `class`.self) { $0 }; "
          + "let __shared = Registry::__shared(__service)\n"
          + "if unsafe Registry::__provideExported(__exported, __out, __type) { return true }\n"
          + "return unsafe (Registry::__provide(__shared, __out, __type, `class`.init))\n}") == true)
    #expect(
      json(source) == #"{"protocol":"P","class":"Cart.class","scope":"shared","name":"é\"","priority":-5}"#)
  }

  @Test func `An unsafe type is used in unsafe expressions only`() {
    let source = expansion(request("ExportService", "@ExportService(P.self)", on: "@unsafe class A {}")).source
    #expect(
      source?.contains("\nlet __exported = unsafe Registry::__checkConversion(__service, A.self) { unsafe $0 }\n")
        == true)
  }

  @Test func `The JSON does not contain defaults`() {
    let source = expansion(
      request(
        "ExportService", "@ExportService(P.self, scope: .transient, named: nil, priority: 0)",
        on: "actor A {}")
    ).source
    #expect(json(source) == #"{"protocol":"P","class":"Cart.A"}"#)
    let module = expansion(
      request("ExportModule", "@ExportModule(level: .normal, priority: 0, after: [])", on: "final class A {}")
    ).source
    #expect(json(module) == #"{"module":"Cart.A"}"#)
  }

  @Test func `A type for newer systems is served only on those systems`() {
    let list = expansion(
      request("ExportService", "@ExportService(P.self)", on: "@available(macOS 14, *) struct A {}")
    ).source
    #expect(
      withoutLocations(list)?.contains(
        "{ @Sendable __out, __type, _ in\nguard #available(macOS 14, *) else { return false }\nlet __service")
        == true)
    let introduced = expansion(
      request(
        "ExportService", "@ExportService(P.self)", on: "@available(macOS, introduced: 14.2, message: \"\") struct A {}")
    ).source
    #expect(introduced?.contains("\nguard #available(macOS 14.2, *) else { return false }\n") == true)
    #expect(introduced?.contains("@used\nprivate let") == true)
    for attribute in ["@available(swift, introduced: 6)", "@available(swift 6)", "@available(swift 5.9)"] {
      let language = expansion(
        request("ExportService", "@ExportService(P.self)", on: "\(attribute) struct A {}")
      ).source
      #expect(language?.contains("@used\n\(attribute)\nprivate let") == true)
      #expect(language?.contains("guard") == false)
    }
    let conditional = expansion(
      request("ExportService", "@ExportService(P.self)", on: "#if X\n@available(macOS 14, *)\n#endif\nstruct A {}")
    ).source
    #expect(conditional?.contains("\nguard #available(macOS 14, *) else { return false }\n") == true)
    let nested = expansion(
      request(
        "ExportService", "@ExportService(P.self)", on: "@available(macOS 15, *) struct A {}",
        in: ["@available(macOS 14, *) enum B {}"])
    ).source
    #expect(nested?.contains("@used\n@available(macOS 15, *)\nprivate static let") == true)
    #expect(nested?.contains("guard") == false)
  }

  @Test func `Each attribute of a type for newer systems counts`() {
    func source(_ macro: String, _ attribute: String, in contexts: [String] = [], named name: String? = nil) -> String {
      let type = "@available(macOS 14, *) @available(iOS 17, *) struct A { init(_ p: P) {} }"
      return expansion(request(macro, attribute, on: type, in: contexts, named: name)).source ?? ""
    }
    let service = source("ExportService", "@ExportService(P.self)")
    let nested = source("ExportService", "@ExportService(P.self)", in: ["@available(macOS 13, *) enum B {}"])
    let route = source("ExportRouteType", "@ExportRoute(.a)", named: "ExportRoute")
    for system in ["macOS 14", "iOS 17"] {
      #expect(service.contains("guard #available(\(system), *) else { return false }\n"))
      #expect(nested.contains("\n@available(\(system), *)") && route.contains("\n@available(\(system), *)"))
    }
  }

  @Test func `Problems are reported at the attribute or at the argument`() {
    let attribute = "\n  /// c\n  @ExportService(P.self, priority: x)"
    let diagnostics = expansion(request("ExportService", attribute, on: "struct A<T> {}")).diagnostics
    #expect(
      diagnostics.map(\.position) == [
        .init(fileName: "/src/Cart.swift", offset: 111), .init(fileName: "/src/Cart.swift", offset: 144),
      ])
    #expect(diagnostics.map(\.severity) == ["error", "error"])
    #expect(
      diagnostics[1].highlights == [.init(fileName: "/src/Cart.swift", startOffset: 144, endOffset: 145)])
  }

  @Test func `An unknown object file format is an error`() {
    let request = request("ExportModule", "@ExportModule", on: "final class A: Module {}")
    #expect(
      messages(request, Configuration.coff) == [
        "'@ExportModule' requires the object file format Mach-O or ELF, but the format of this target is 'COFF'; "
          + "exclude it with '#if objectFormat(MachO) || objectFormat(ELF)' and register the type at run time "
          + "[object-format]"
      ])
    #expect(messages(request, Configuration.elf).isEmpty)
  }

  @Test func `Each request has its own build configuration`() {
    var session = Session(checkingPatterns: PatternSyntax.problem)
    var request = request("ExportModule", "@ExportModule", on: "final class A: Module {}")
    for configuration in [Configuration.elf, Configuration.coff, Configuration.elf] {
      request.buildConfiguration = configuration
      #expect(session.expand(request).contains("[object-format]") == (configuration == Configuration.coff))
    }
  }

  @Test(arguments: ["init() {}", "private init() {}", "init(x: Int) {}", "init?() {}", "init() async {}", "}}{"])
  func `The compiler checks the initializers in a body`(body: String) {
    let expansion = expansion(request("ExportService", "@ExportService(P.self)", on: "class A: B { \(body) }"))
    #expect(expansion.diagnostics.isEmpty)
    #expect(expansion.source?.contains("Registry::__provide(__service, __out, __type, A.init))") == true)
  }

  @Test(arguments: [
    ("init(services: ServiceManager) {}", true),
    ("public required init(services x: Registry::ServiceManager) throws {}", true),
    ("init() {}; init(services: Registry.ServiceManager = .shared) {}", true),
    ("let a = B.init(x: 1)\n #if DEBUG\n init?(services: ServiceManager) {}\n #endif", true),
    ("func f() {\n #if DEBUG\n print()\n #endif\n }\n init(services: ServiceManager) {}", true),
    ("init(_ services: ServiceManager) {}", false), ("init(services: ServiceManager?) {}", false),
    ("init(services: [ServiceManager]) {}", false), ("init(services: ServiceManager, x: Int = 1) {}", false),
    ("init() {}; private init(services: ServiceManager) {}", false),
    ("init() {}; init(services: @escaping () -> Registry.ServiceManager) {}", false),
    ("init() {}; init(services: inout Registry.ServiceManager) {}", false),
    ("init() {}; init(services: Other.ServiceManager) {}", false),
    ("init() {}; init<T>(services: Registry.ServiceManager) {}", false),
    ("init() {}; init(services: ServiceManager...) {}", false),
    ("struct B { init(services: ServiceManager) {} }", false),
    ("func f() { A.init(services: ServiceManager.shared) }", false),
    ("let a = A.init(services: ServiceManager)", false),
    ("let range = 1...\nprivate init(services: ServiceManager) {}\ninit() {}", false),
    ("let scope: Scope = .private\ninit(services: ServiceManager) {}\ninit() {}", true),
    ("let a = b </> f(c </> d)\ninit(services: ServiceManager) {}\ninit() {}", true),
    ("// init(services: ServiceManager) {}", false), ("init", false), ("init(", false),
  ])
  func `A type can receive the manager that creates it`(body: String, receives: Bool) {
    let source = expansion(
      request("ExportService", "@ExportService(P.self)", on: "final class A: P {\n\(body)\n}")
    ).source
    // Only the compiler knows whether an initializer in conditional compilation exists.
    let labels = body.contains("#if DEBUG\n init") ? "" : "(services:)"
    let factory = receives ? "Registry::__creatingWithManager(A.init\(labels))" : "A.init"
    #expect(source?.contains("Registry::__provide(__service, __out, __type, \(factory)))") == true)
  }

  @Test func `A service is one type, and other arguments have labels`() {
    func problems(_ argument: String) -> [String] {
      messages(request("ExportService", "@ExportService(P.self, \(argument))", on: "struct A: P {}"))
    }
    #expect(
      problems("(any Q).self") == [
        "'@ExportService' takes one service; write another attribute for this one [missing-argument]"
      ])
    #expect(
      problems(".shared") == ["an argument after the service needs a label, such as 'scope:' [missing-argument]"])
  }

  @Test(arguments: [
    (
      "ExportService", "enum G<T> {}",
      " in the generic type or constrained extension 'G'; move 'A' out of it [generic-type]"
    ),
    (
      "ExportModule", "extension [Int] where Element: P {}",
      " in a generic type or constrained extension; move 'A' out of it [generic-type]"
    ),
    ("ExportModule", "protocol P {}", " in the protocol 'P'; move 'A' out of it [declared-in-protocol]"),
    (
      "ExportService", "func f() {}",
      ", which is local to a function, closure, or statement; "
        + "move 'A' to the top level of a file or into a type [local-declaration]"
    ),
  ])
  func `Locations that cannot contain a record are errors`(macro: String, outer: String, problem: String) {
    let messages = messages(request(macro, "@\(macro)(P.self)", on: "final class A {}", in: [outer]))
    #expect(messages.contains("'@\(macro)' cannot be applied to 'A'\(problem)"))
  }

  @Test func `A module is a final class`() {
    #expect(messages(request("ExportModule", "@ExportModule", on: "final class A {}")).isEmpty)
    for (declaration, kind) in [("class A {}", "not final"), ("struct A {}", "a struct"), ("actor A {}", "an actor")] {
      #expect(
        messages(request("ExportModule", "@ExportModule", on: declaration)) == [
          "'@ExportModule' requires a final class, but 'A' is \(kind); write 'final class A' [not-a-final-class]"
        ])
    }
  }

  @Test func `A regex literal before a type is recognized where the compiler recognizes it`() {
    let request = request("ExportModule", "@ExportModule", on: #"@A(/[)"]/) final class A {}"#)
    #expect(json(expansion(request, Configuration.regex).source) == #"{"module":"Cart.A"}"#)
    #expect(expansion(request).source == nil)
  }

  @Test(arguments: ["", "0", "1"])
  func `A module is exported once`(number: String) {
    let diagnostics = expansion(
      request(
        "ExportModule", "@ExportModule", on: "final class A {}", discriminator: "$s4Cart1A12ExportModulefMp\(number)_")
    ).diagnostics
    let problem = "'A' is already exported by another '@ExportModule' attribute; remove this one [exported-twice]"
    #expect(diagnostics.map(\.message) == (number.isEmpty ? [] : [problem]))
  }

  /// The compiler numbers the attributes of a declaration from the last one.
  @Test(arguments: [
    ("@ExportService(P.self)", "@ExportService(P.self)", true),
    ("@ExportService(P.self)", "@ExportService(Q.self)", false),
    ("@ExportService(P.self)", #"@ExportService(P.self, named: "x")"#, false),
    (#"@ExportService(P.self, named: "x", scope: .shared)"#, #"@ExportService(P.self, named: "x")"#, true),
    ("@ExportService(P.self, scope: .unknown)", "@ExportService(P.self)", true),
    ("@ExportService<any P>((any P).self)", "@ExportService(P.self)", true),
    (#"@ExportService(P.self, named: "x")"#, ##"@ExportService(P.self, named: #"x"#)"##, true),
    ("@ExportService()", "@ExportService(P.self)", false),
  ])
  func `A type is exported once as each service`(first: String, second: String, isProblem: Bool) {
    let declaration = "\(first) \(second) final class A {}"
    for (attribute, number, isReported) in [(second, "", isProblem), (first, "0", false)] {
      let diagnostics = expansion(
        request("ExportService", attribute, on: declaration, discriminator: "$s4Cart1A13ExportServicefMp\(number)_")
      ).diagnostics
      let problem =
        "'A' is already exported as 'P' by another '@ExportService' attribute; remove this one, or pass a different name"
        + " as 'named:' [exported-twice]"
      #expect(diagnostics.map(\.message).contains(problem) == isReported)
    }
  }

  @Test(arguments: ["struct": "a struct", "enum": "an enum", "class": nil, "actor": nil])
  func `Only classes and actors can have the weak scope`(keyword: String, article: String?) {
    let attribute = "@ExportService(P.self, scope: .weak)"
    let diagnostics = expansion(request("ExportService", attribute, on: "\(keyword) A {}")).diagnostics
    #expect(
      diagnostics.map(\.message)
        == (article.map {
          [
            "scope '.weak' requires a class or an actor, but 'A' is \($0); use '.shared' or '.transient' [weak-value]"
          ]
        } ?? []))
    // The error is at the argument, which is 30 bytes into the attribute.
    #expect(diagnostics.allSatisfy { $0.position.offset == 130 })
  }

  @Test(arguments: corpus)
  func `Any declaration gives an expansion or a reason`(specimen: Specimen) {
    for macro in ["ExportService", "ExportModule"] {
      let (source, diagnostics) = expansion(request(macro, "@\(macro)(P.self)", on: specimen.source))
      #expect((source == nil) == !diagnostics.isEmpty)
    }
  }
}
