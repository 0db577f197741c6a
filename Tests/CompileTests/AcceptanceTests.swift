import Foundation
import Testing

/// The compiler flags of a client.
struct ClientMode: Sendable, CustomTestStringConvertible {
  var flags: [String]

  init(_ flags: String...) {
    self.flags = flags
  }

  var testDescription: String { flags.isEmpty ? "no flags" : flags.joined(separator: " ") }
}

private let modes: [ClientMode] = [
  ClientMode(),
  ClientMode("-default-isolation", "MainActor"),
  ClientMode("-enable-upcoming-feature", "ExistentialAny"),
  ClientMode("-enable-upcoming-feature", "InternalImportsByDefault"),
  ClientMode("-enable-upcoming-feature", "MemberImportVisibility"),
  ClientMode("-enable-upcoming-feature", "InferIsolatedConformances"),
  ClientMode("-enable-upcoming-feature", "NonisolatedNonsendingByDefault"),
  ClientMode(
    "-default-isolation", "MainActor", "-enable-upcoming-feature", "InferIsolatedConformances",
    "-enable-upcoming-feature", "NonisolatedNonsendingByDefault"),
  ClientMode("-strict-memory-safety"),
  ClientMode("-strict-memory-safety", "-default-isolation", "MainActor"),
  ClientMode("-strict-concurrency=complete"),
  ClientMode("-O"),
  ClientMode("-enable-testing"),
  ClientMode("-enable-bare-slash-regex"),
]

extension Compilation {
  /// Returns the number of records of a kind in the object file.
  ///
  /// The function searches for the kind and the name in the header of a record.
  func records(_ kind: String) -> Int {
    let header = Data(kind.utf8.reversed()) + Data("Registry".utf8) + Data(count: 4)
    var count = 0
    var rest = (object ?? Data())[...]
    while let range = rest.range(of: header) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}

@Suite struct AcceptanceTests {
  private let files = Dictionary(uniqueKeysWithValues: fixtures.map { ($0.name, $0.source) })

  @Test(arguments: modes, ["5", "6"])
  func `Clients compile without a warning, and every attribute makes a record`(
    mode: ClientMode, version: String
  ) throws {
    let compilation = try Compiler.run(
      files, ["-swift-version", version, "-warnings-as-errors"] + mode.flags, emitsObject: true)
    #expect(compilation.succeeded && compilation.output.isEmpty, "\(compilation.output)")
    #expect(compilation.records("serv") == fixtures.map(\.services).reduce(0, +))
    #expect(compilation.records("modu") == fixtures.map(\.modules).reduce(0, +))
    #expect(compilation.records("evnt") == fixtures.map(\.handlers).reduce(0, +))
    #expect(compilation.records("rout") == fixtures.map(\.routes).reduce(0, +))
    #expect(compilation.records("actn") == fixtures.map(\.actions).reduce(0, +))
    #expect(compilation.records("need") == fixtures.map(\.needs).reduce(0, +))
  }

  @Test(arguments: ["5", "6"])
  func `A client with library evolution gets no warning from an expansion`(version: String) throws {
    let compilation = try Compiler.run(
      files, ["-swift-version", version, "-enable-library-evolution", "-emit-module"], emitsObject: true)
    #expect(compilation.succeeded, "\(compilation.output)")
    // The tests build this package without library evolution, which the compiler warns about.
    #expect(!compilation.diagnostics.isEmpty)
    #expect(
      compilation.diagnostics.allSatisfy { $0.contains("was not compiled with library evolution support") },
      "\(compilation.output)")
    #expect(compilation.records("serv") == fixtures.map(\.services).reduce(0, +))
    #expect(compilation.records("evnt") == fixtures.map(\.handlers).reduce(0, +))
    #expect(compilation.records("rout") == fixtures.map(\.routes).reduce(0, +))
    #expect(compilation.records("actn") == fixtures.map(\.actions).reduce(0, +))
    #expect(compilation.records("need") == fixtures.map(\.needs).reduce(0, +))
  }

  @Test(arguments: ["5", "6"], [[], ["-default-isolation", "MainActor"]])
  func `A script's types can be exported`(version: String, flags: [String]) throws {
    let compilation = try Compiler.run(
      [
        "main.swift": """
        import Lifecycle
        import Registry
        import Routing
        protocol P {}
        @ExportService((any P).self) struct A: P {}
        @ExportModule final class M: Module { init() {} }
        extension Event where Payload == Void, Outcome == Void { static var ping: Self { .init("ping") } }
        var count = 0
        #onEvent(.ping) { _ in count += 1 }
        #onEvent(.ping, once: true) { _ in
          print(count)
        }
        enum E { #onEvent(.ping) { _ in } }
        extension Route where Parameters == Void, Outcome == Int { static var route: Self { .init("route") } }
        #exportRoute(.route) { count }
        #exportAction("a", "b") { count += 1 }
        @ExportRoute(.made) struct Made { init() {} }
        extension Route where Parameters == Void, Outcome == Made { static var made: Self { .init("made") } }
        print("hello")
        """
      ], ["-swift-version", version, "-warnings-as-errors"] + flags, emitsObject: true)
    #expect(compilation.succeeded && compilation.output.isEmpty, "\(compilation.output)")
    #expect(compilation.records("serv") == 1 && compilation.records("modu") == 1)
    #expect(compilation.records("evnt") == 3)
    #expect(compilation.records("rout") == 2 && compilation.records("actn") == 1)
  }

  @Test func `A protocol without any gets only the compiler's warning`() throws {
    let files = ["snippet.swift": "import Registry\nprotocol P {}\n@ExportService(P.self) struct A: P {}"]
    #expect(try Compiler.run(files, ["-swift-version", "6"]).output.isEmpty)
    let warned = try Compiler.run(
      files, ["-swift-version", "6", "-enable-upcoming-feature", "ExistentialAny"])
    #expect(warned.succeeded)
    #expect(warned.diagnostics.count == 1)
    #expect(
      warned.messages("warning") == [
        "use of protocol 'P' as a type must be written 'any P'; this will be an error in a future Swift language mode "
          + "[#ExistentialAny]"
      ], "\(warned.output)")
    #expect(
      warned.hasNote("in expansion of macro 'ExportService' on struct 'A' here", at: "snippet.swift:3:1"),
      "\(warned.output)")
  }

  @Test func `An unsafe type, and a service that every class implements, are exported without a warning`() throws {
    let compilation = try Compiler.run(
      [
        "snippet.swift": """
        import Registry
        protocol P {}
        @ExportService((any P).self) @unsafe struct A: P {}
        @ExportService(AnyObject.self) final class B {}
        """
      ], ["-swift-version", "6", "-strict-memory-safety", "-warnings-as-errors"], emitsObject: true)
    #expect(compilation.succeeded && compilation.output.isEmpty, "\(compilation.output)")
    #expect(compilation.records("serv") == 2)
  }

  @Test func `Each file's attributes are expanded once, and not again for every other file`() throws {
    let files = (1...3).map { number in
      (
        "File\(number).swift",
        """
        import Lifecycle
        import Registry
        import Routing
        protocol P\(number): Sendable {}
        @ExportService((any P\(number)).self, scope: .shared) struct A\(number): P\(number) {}
        @ExportModule final class M\(number): Module { init() {} }
        @Lifecycle.ExportModule() final class N\(number): Module { init() {} }
        @ExportService<any P\(number)>((any P\(number)).self) struct B\(number): P\(number) {}
        enum Outer\(number) { @ExportService((any P\(number)).self) struct Inner\(number): P\(number) {} }
        extension Route where Parameters == Void, Outcome == R\(number) { static var r\(number): Self { .init("r") } }
        @ExportRoute(.r\(number)) struct R\(number): Sendable {}
        """
      )
    }
    let compilation = try Compiler.run(
      Dictionary(uniqueKeysWithValues: files),
      ["-no-whole-module-optimization", "-disable-batch-mode", "-Xfrontend", "-dump-macro-expansions"])
    #expect(compilation.succeeded, "\(compilation.output)")
    for number in 1...3 {
      for name in ["__service_A", "__service_B", "__module_M", "__module_N", "__service_Inner"] {
        let times = compilation.output.components(separatedBy: "let \(name)\(number): ").count - 1
        #expect(times == 1, "\(name)\(number)")
      }
      for name in ["__route_R"] {
        let times = compilation.output.components(separatedBy: "enum \(name)\(number) ").count - 1
        #expect(times == 1, "\(name)\(number)")
      }
    }
  }

  @Test(arguments: [["-swift-version", "6"], ["-swift-version", "5", "-enable-bare-slash-regex"]])
  func `A body with regular expressions that look like operators and brackets is exported`(flags: [String]) throws {
    let compilation = try Compiler.run(
      [
        "snippet.swift": """
        import RegexBuilder
        import Registry
        protocol P {}
        @ExportService((any P).self) struct Divides: P {
          let a: Int? = 1
          var quotient: Int { a!/gg(4/2) }
          func gg(_ x: Int) -> Int { x }
          init(x: Int) {}
          init() {}
        }
        @ExportService((any P).self) struct Builds: P {
          func regex() -> some RegexComponent {
            Regex {
              One("(")
              /[{]/
            }
          }
          init() {}
        }
        @ExportService((any P).self) struct Guards: P {
          func isOpen(_ s: Substring) -> Bool {
            guard /[{]/ ~= s else { return false }
            return true
          }
          init(x: Int) {}
          init() {}
        }
        func ~= (regex: Regex<Substring>, text: Substring) -> Bool { text.contains(regex) }
        """
      ], flags + ["-warnings-as-errors"])
    #expect(compilation.succeeded && compilation.output.isEmpty, "\(compilation.output)")
  }

  @Test func `A type that does not exist on this platform has no record`() throws {
    let compilation = try Compiler.run(
      [
        "snippet.swift": """
        import Lifecycle
        import Registry
        import Routing
        protocol P {}
        @ExportService((any P).self) @available(*, unavailable) struct A: P {}
        @ExportService((any P).self) @available(swift, obsoleted: 5) struct B: P {}
        @available(*, unavailable) enum Outer {
          @ExportService((any P).self) struct A: P {}
          #onEvent(.ping) { _ in }
        }
        @ExportModule @available(*, unavailable) final class M: Module { init() {} }
        extension Event where Payload == Void, Outcome == Void { static var ping: Self { .init("ping") } }
        @available(swift, obsoleted: 4)
        extension Route where Parameters == Void, Outcome == R { static var r: Self { .init("r") } }
        @ExportRoute(.r) @available(swift, obsoleted: 4) struct R: Sendable {}
        @ExportService((any P).self) @available(macOS, unavailable) @available(iOS, obsoleted: 12) struct Here: P {}
        #if os(macOS)
        @available(*, unavailable)
        #endif
        @ExportService((any P).self) struct HereToo: P {}
        @ExportModule @available(tvOS, unavailable) final class AlsoHere: Module { init() {} }
        @available(visionOS, unavailable) enum HandlerHere { #onEvent(.ping) { _ in } }
        """
      ], ["-swift-version", "6"], emitsObject: true)
    #expect(compilation.succeeded, "\(compilation.output)")
    #expect(compilation.records("serv") == 2 && compilation.records("modu") == 1)
    #expect(compilation.records("evnt") == 1 && compilation.records("rout") == 0)
  }

  @Test func `A long record compiles`() throws {
    let names = (0..<100).map { "\"Feature\($0).FeatureModule\"" }.joined(separator: ", ")
    let compilation = try Compiler.run(
      [
        "snippet.swift":
          "import Lifecycle\n@ExportModule(after: [\(names)]) final class M: Module { init() {} }"
      ],
      emitsObject: true)
    #expect(compilation.succeeded, "\(compilation.output)")
    #expect(compilation.object?.range(of: Data("\"Feature99.FeatureModule\"],\"at\":".utf8)) != nil)
  }
}
