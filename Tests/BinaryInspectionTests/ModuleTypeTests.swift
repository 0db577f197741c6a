import Foundation
import Registry
import TestSupport
import Testing

@testable import BinaryInspection

/// References to modules by their types, whose names in source code, records, and metadata can
/// differ.
@MainActor @Suite struct ModuleTypeTests {
  /// The record of a module in an extension of `Double`, for which the module `Cart` has an alias.
  private static func total(symbol: String? = "$sSd4CartE14__module_Total33_AALLs6UInt32V_tvpZ") -> TestRecord {
    var record = TestRecord.module(#"{"module":"Cart.Amount.Total","at":"Cart/A.swift:1:1"}"#, accessor: true)
    record.symbol = symbol
    return record
  }

  private static func names(_ types: String...) -> ServiceNames {
    var known = DeclaredTypes()
    known.swift = Set(types)
    return ServiceNames(known)
  }

  /// Returns the problems of the order and of the needs.
  private func problems(_ records: [TestRecord], _ names: ServiceNames) -> [String] {
    let images = SimulatedObject.inspection([.with(records)]).images
    let list = ProblemList()
    ModuleCheck(images, names).report(duplicates: ProblemList(), others: list)
    NeedCheck.check(LinkedImages(images), names, list)
    return list.all.filter { $0.severity == .problem }.map { "\($0.code) \($0.subject ?? "")" }
  }

  private static func need(_ module: String, isType: Bool = true) -> TestRecord {
    .need(#"{"module":"\#(module)"\#(isType ? #","type":true"# : ""),"at":"Cart/B.swift:9:1"}"#)
  }

  @Test func `a type in an extension of an alias has the names of its record and of the runtime`() {
    let needs = ["Double.Total", "Swift.Double.Total", "Amount.Total"].map { Self.need($0) }
    let named = ["Cart.Double.Total", "Cart.Amount.Total"].map { Self.need($0, isType: false) }
    let after = TestRecord.module(#"{"module":"Shop.M","after":["Cart.Double.Total"],"at":"Shop/M.swift:1:1"}"#)
    let names = Self.names("Swift.Double.Total", "Shop.M")
    #expect(problems([Self.total(), after] + needs + named, names) == [])
    // Without a symbol, the type can be the one that the name refers to.
    #expect(problems([Self.total(symbol: nil), after] + needs + named, names) == [])
    // Other names are not those of this type.
    let other = TestRecord.module(#"{"module":"Shop.M","after":["Cart.Float.Total"]}"#)
    #expect(problems([Self.total(), other], names) == ["unknown-after Shop.M"])
    #expect(
      problems([Self.total(), Self.need("Cart.Float.Total", isType: false)], names) == ["unmet-need Cart.Float.Total"])
  }

  @Test func `the name of a nested class in a C record is its only name`() {
    let record = TestRecord.module(#"{"module":"Cart.Outer.Middle.Inner"}"#)
    let names = Self.names("Cart.Outer.Middle.Inner", "Shop.M")
    for (name, expected) in [("Cart.Outer.Middle.Inner", []), ("Cart.Middle.Inner", ["unknown-after Shop.M"])] {
      let after = TestRecord.module(#"{"module":"Shop.M","after":["\#(name)"]}"#)
      #expect(problems([record, after], names) == expected)
    }
  }

  @Test func `a needed type that no file exports is reported, and an alias is not`() {
    let names = Self.names("Cart.Forgotten", "Swift.Double.Total")
    #expect(problems([Self.total(), Self.need("Forgotten")], names) == ["unmet-need Forgotten"])
    #expect(problems([Self.total(), Self.need("Alias")], names) == [])
    // A name is not an alias.
    #expect(problems([Self.total(), Self.need("Alias", isType: false)], names) == ["unmet-need Alias"])
  }

  @Test func `a private type in after is the one of the same file`() {
    let records = [
      #"{"module":"Cart.Loader","at":"Cart/A.swift:1:1"}"#,
      #"{"module":"Cart.Loader","level":"basic","at":"Cart/B.swift:1:1"}"#,
      #"{"module":"Cart.First","level":"basic","afterTypes":["Loader"],"at":"Cart/B.swift:2:1"}"#,
    ].map { TestRecord.module($0, accessor: true) }
    let names = Self.names("Cart.Loader", "Cart.First")
    #expect(problems(records, names) == [])
    let swapped =
      Array(records.dropLast()) + [
        .module(
          #"{"module":"Cart.First","level":"basic","afterTypes":["Loader"],"at":"Cart/A.swift:2:1"}"#, accessor: true)
      ]
    #expect(problems(swapped, names) == ["level-conflict Cart.First"])
    let graph = SimulatedObject.inspection([.with(records)]).text(of: .mermaid)
    #expect(graph.contains("1#46; Cart.Loader") && graph.contains("n0_1 -->|after| n0_0"), "\(graph)")
  }

  @Test func `extensions of one type in two modules have different types with one name`() {
    func inner(_ name: String, _ level: String, symbol: String?) -> TestRecord {
      let module = name.prefix { $0 != "." }
      var record = TestRecord.module(
        #"{"module":"\#(name)","level":"\#(level)","at":"\#(module)/A.swift:1:1"}"#, accessor: true)
      record.symbol = symbol
      return record
    }
    let after = TestRecord.module(
      #"{"module":"Shop.First","level":"basic","afterTypes":["Swift.Int.Inner"],"at":"Shop/B.swift:1:1"}"#,
      accessor: true)
    let names = Self.names("Swift.Int.Inner", "Shop.First")
    func found(_ isStripped: Bool) -> [String] {
      problems(
        [
          inner("Cart.Swift.Int.Inner", "normal", symbol: isStripped ? nil : "$sSi4CartE5countSivpZ"),
          inner("Shop.Int.Inner", "basic", symbol: isStripped ? nil : "$sSi4ShopE5countSivpZ"), after,
        ], names)
    }
    #expect(found(false) == [] && found(true) == [])
  }

  @Test func `types with raw identifiers are found, and the class of a record with an accessor exists`() {
    let records = [
      #"{"module":"Cart.summer prices","after":["Cart.v1.2 (beta)"]}"#, #"{"module":"Cart.v1.2 (beta)"}"#,
      #"{"module":"Cart.M","afterTypes":["summer prices","v1.2 (beta)"]}"#,
    ].map { TestRecord.module($0, accessor: true) }
    let all = records + [Self.need("v1.2 (beta)"), Self.need("summer prices")]
    #expect(problems(all, Self.names("Cart.summer prices", "Cart.v1.2 (beta)", "Cart.M")) == [])
    #expect(SimulatedObject.inspection([.with(records)], readsClasses: true).check() == [])
  }

  @Test func `registered names can be spelled as descriptions of types`() {
    let records = SimulatedObject.inspection([.with([.need(#"{"module":"Cart.summer prices"}"#, accessor: false)])])
    #expect(records.check().map(\.code) == [.unmetNeed])
    #expect(records.check(registered: ["Cart.`summer\u{a0}prices`"]) == [])
  }

  /// The source files of the module `Cart`, which refer to modules by every spelling of their types.
  private static let swift = [
    """
    import Lifecycle
    typealias Amount = Double
    extension Amount { @ExportModule final class Total: Module {} }
    extension Swift.Int { @ExportModule(level: .basic) final class Inner: Module {} }
    @ExportModule final class `summer prices`: Module {}
    @ExportModule final class `v1.2 (beta)`: Module {}
    @ExportModule(level: .basic) private final class Loader: Module {}
    @ExportModule(level: .basic, after: [Loader.self, Int.Inner.self]) final class First: Module {}
    """,
    """
    import Lifecycle
    typealias Alias = Int.Inner
    @ExportModule(after: [First.self]) private final class Loader: Module {}
    @ExportModule(
      after: [Loader.self, Double.Total.self, Swift.Int.Inner.self, `summer prices`.self, `v1.2 (beta)`.self])
    final class Second: Module {}
    @ExportModule(after: ["Cart.Double.Total", "Cart.Amount.Total", "Cart.Int.Inner", "Cart.summer prices"])
    final class Third: Module {}
    #needs(module: Double.Total.self)
    #needs(module: Amount.Total.self)
    #needs(module: Alias.self)
    #needs(module: Loader.self)
    #needs(module: `summer prices`.self)
    #needs(module: `v1.2 (beta)`.self)
    #needs(module: "Cart.Double.Total")
    enum Space {
      #needs(module: Swift.Int.Inner.self)
      final class Forgotten: Module {}
      #needs(module: Forgotten.self)
    }
    #needs(module: "Cart.Thrd")
    """,
  ]

  @Test func `only true problems of Swift modules are reported, however their types are spelled`() throws {
    try BuiltELF.inFolder { folder in
      let plugin = try BuiltProgram.path("RegistryMacros-tool")
      let products = URL(fileURLWithPath: plugin).deletingLastPathComponent()
      for (name, source) in zip(["A.swift", "B.swift"], Self.swift) {
        try Data(source.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
      }
      let compiled = try Command.run(
        "swiftc",
        [
          "-swift-version", "6", "-parse-as-library", "-module-name", "Cart", "-load-plugin-executable",
          "\(plugin)#RegistryMacros", "-I", products.appendingPathComponent("Modules").path, "-Xcc",
          "-fmodule-map-file=\(products.appendingPathComponent("RegistryC.build/module.modulemap").path)", "-c",
          "A.swift", "B.swift",
        ], in: folder)
      try #require(compiled.succeeded, "\(compiled.output)")
      // The types of objects aren't read.
      var files: [String] = []
      #if objectFormat(ELF)
      let link = ["-shared", "-Wl,--unresolved-symbols=ignore-all", "A.o", "B.o", "-o"]
      for (name, flags) in [("cart.so", []), ("stripped.so", ["-s"])] {
        let result = try Command.run("clang", link + [name] + flags, in: folder)
        try #require(result.succeeded, "\(result.output)")
        files.append(name)
      }
      #endif
      for name in files {
        let found = Inspection(of: ["\(folder)/\(name)"]).check()
        #expect(
          found.map { "\($0.code) \($0.subject ?? "")" } == [
            "unmet-need Forgotten", "unmet-need Cart.Thrd", "unexported-module Cart.Space.Forgotten",
          ], "\(name)")
      }
    }
  }
}
