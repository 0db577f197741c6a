import Foundation
import Testing

/// The language mode and the flags of a client.
struct ClientMode: Sendable, CustomTestStringConvertible {
  var version: String
  var flags: [String] = []
  /// The count of records is checked in an object file. Otherwise, no machine code is generated.
  var emitsObject = false

  var testDescription: String { "Swift \(version) \(flags.joined(separator: " "))" }
}

/// The features that users can enable. None of them depends on another one.
private let features =
  [
    "ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "InferIsolatedConformances",
    "NonisolatedNonsendingByDefault",
  ].flatMap { ["-enable-upcoming-feature", $0] } + ["-strict-memory-safety"]

private let modes = ["5", "6"].flatMap { version in
  [
    ClientMode(version: version, emitsObject: version == "6"),
    ClientMode(version: version, flags: ["-default-isolation", "MainActor", "-D", "OTHER_ATTRIBUTES"]),
    ClientMode(version: version, flags: ["-default-isolation", "MainActor"] + features),
    ClientMode(version: version, flags: features + ["-strict-concurrency=complete", "-enable-testing"]),
  ]
}

extension Compilation {
  /// Returns the number of records of a kind in the object file.
  ///
  /// The function searches for the kind and the name in the header of a record.
  func records(_ kind: String) -> Int {
    var count = 0
    // The kind of a record in a group begins with a letter in upper case.
    for kind in [kind, kind.prefix(1).uppercased() + kind.dropFirst()] {
      let header = Data(kind.utf8.reversed()) + Data("Registry".utf8) + Data(count: 4)
      var rest = (object ?? Data())[...]
      while let range = rest.range(of: header) {
        count += 1
        rest = rest[range.upperBound...]
      }
    }
    return count
  }
}

@Suite struct AcceptanceTests {
  private let files = Dictionary(uniqueKeysWithValues: fixtures.map { ($0.name, $0.source) })

  @Test(arguments: modes)
  func `Clients compile without a warning, and every attribute makes a record`(mode: ClientMode) throws {
    let compilation = try Compiler.run(
      files, ["-swift-version", mode.version, "-enable-bare-slash-regex", "-warnings-as-errors"] + mode.flags,
      checks: mode.emitsObject ? .object : .constants)
    #expect(compilation.succeeded && compilation.output.isEmpty, "\(compilation.output)")
    if mode.emitsObject { checkRecords(in: compilation) }
  }

  @Test(arguments: ["5", "6"])
  func `An optimized client with library evolution gets no warning from an expansion`(version: String) throws {
    let compilation = try Compiler.run(
      files,
      ["-swift-version", version, "-enable-bare-slash-regex", "-enable-library-evolution", "-emit-module"]
        + (version == "6" ? ["-O"] : []), checks: version == "6" ? .object : .constants)
    #expect(compilation.succeeded, "\(compilation.output)")
    // The tests build this package without library evolution, which the compiler warns about.
    #expect(!compilation.diagnostics.isEmpty)
    #expect(
      compilation.diagnostics.allSatisfy { $0.message.contains("was not compiled with library evolution support") },
      "\(compilation.output)")
    if version == "6" { checkRecords(in: compilation) }
  }

  // Top-level code prefers a synchronous overload, and warns that nothing is awaited.
  @Test func `Top-level code that waits calls the asynchronous function`() throws {
    let code = """
      import Foundation
      import Routing
      let url = URL(string: "shop://order/7")!
      let number = try await Router.shared.object(for: url, as: Int.self, from: .local)
      print(number, try Router.shared.synchronousObject(for: url, as: Int.self, from: .local))
      """
    let compilation = try Compiler.run(["main.swift": code], ["-swift-version", "6", "-warnings-as-errors"])
    #expect(compilation.succeeded && compilation.output.isEmpty, "\(compilation.output)")
  }

  private func checkRecords(in compilation: Compilation) {
    for (kind, count) in recordCounts {
      #expect(compilation.records(kind) == count, "\(kind)")
    }
    // The payload of a long record is complete.
    #expect(compilation.object?.range(of: Data("\"Feature99.FeatureModule\"],\"at\":".utf8)) != nil)
  }

  @Test func `Each file's attributes are expanded once, and not again for every other file`() throws {
    let files = (1...2).map { number in
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
      ["-disable-batch-mode", "-Xfrontend", "-dump-macro-expansions"], checks: .typesOfEachFile)
    #expect(compilation.succeeded, "\(compilation.output)")
    for number in 1...2 {
      for name in ["__service_A", "__service_B", "__module_M", "__module_N", "__service_Inner"] {
        let times = compilation.output.components(separatedBy: "let \(name)\(number): ").count - 1
        #expect(times == 1, "\(name)\(number)")
      }
      #expect(compilation.output.components(separatedBy: "enum __route_R\(number) ").count == 2)
    }
  }
}
