import Foundation
import Registry
import RegistryReports
import TestSupport
import Testing

// Implementations that replace types which the macro, the runtime, and code spell in different ways.
// Each has a name of its own, so that the pairs are independent.

protocol Price: Sendable { var label: String { get } }

@ExportService(Price.self, named: "raw", priority: 10)
struct `summer prices`: Price { let label = "old" }
@ExportService(Price.self, named: "raw", replaces: `summer prices`.self)
struct `winter prices`: Price { let label = "new" }

@ExportService(Price.self, scope: .shared, named: "dots", priority: 10)
struct `v1.2 (beta)`: Price { let label = "old" }
@ExportService(Price.self, scope: .shared, named: "dots", replaces: `v1.2 (beta)`.self)
struct `v1.3 (beta)`: Price { let label = "new" }

@ExportService(Price.self, named: "text", priority: 10)
struct `autumn prices`: Price { let label = "old" }
@ExportService(Price.self, named: "text", replaces: "RegistryTests.`autumn prices`")
struct AutumnPrices: Price { let label = "new" }

extension Swift.Int {
  @ExportService(Price.self, named: "standard", priority: 10)
  struct OldPrice: Price { let label = "old" }
}
@ExportService(Price.self, named: "standard", replaces: Int.OldPrice.self)
struct StandardPrice: Price { let label = "new" }

extension Swift.Int {
  @ExportService(Price.self, named: "runtime", priority: 10)
  struct PriceOne: Price { let label = "old" }
  @ExportService(Price.self, named: "reflected", priority: 10)
  struct PriceTwo: Price { let label = "old" }
  @ExportService(Price.self, named: "recorded", priority: 10)
  struct PriceThree: Price { let label = "old" }
}
@ExportService(Price.self, named: "runtime", replaces: "RegistryTests.Int.PriceOne")
struct RuntimePrice: Price { let label = "new" }
@ExportService(Price.self, named: "reflected", replaces: "(extension in RegistryTests):Swift.Int.PriceTwo")
struct ReflectedPrice: Price { let label = "new" }
@ExportService(Price.self, named: "recorded", replaces: "RegistryTests.Swift.Int.PriceThree")
struct RecordedPrice: Price { let label = "new" }

extension Foundation.URL {
  @ExportService(Price.self, scope: .shared, named: "imported", priority: 10)
  struct OldPrice: Price { let label = "old" }
}
@ExportService(Price.self, scope: .shared, named: "imported", replaces: Foundation.URL.OldPrice.self)
struct ImportedPrice: Price { let label = "new" }

enum Market { enum Stand {} }
typealias ShortStand = Market.Stand
extension ShortStand {
  @ExportService(Price.self, named: "alias", priority: 10)
  struct OldPrice: Price { let label = "old" }
}
@ExportService(Price.self, named: "alias", replaces: ShortStand.OldPrice.self)
struct AliasPrice: Price { let label = "new" }

// OtherPrice.swift exports another private type with this name.
@ExportService(Price.self, named: "private", priority: 10)
private struct OldPrice: Price { let label = "old" }
@ExportService(Price.self, named: "private", replaces: OldPrice.self)
private struct NewPrice: Price { let label = "new" }

/// The hash of a file, as the runtime's names of private types contain it.
private let hash = "_0123456789ABCDEF0123456789ABCDEF"

@Suite(.timeLimit(.minutes(20))) struct TypeReplacementTests {
  let problems = DiagnosticCollector()

  private func services(leavingOut left: String = "none") -> ServiceManager {
    ServiceManager(
      records: .records { $0.name == "Price" && $0.typeName?.hasSuffix(left) == false },
      onDiagnostic: problems.handler)
  }

  @Test(arguments: ["runtime", "reflected", "recorded"])
  func `a text replaces the type without other records that compare types`(name: String) throws {
    let services = ServiceManager(
      records: .records { $0.name == "Price" && $0.attributes.contains(name) }, onDiagnostic: problems.handler)
    #expect(try services.createService(for: (any Price).self, named: name).label == "new")
    #expect(services.report().diagnostics.isEmpty)
  }

  @Test(arguments: ["raw", "dots", "text", "standard", "imported", "alias", "runtime", "reflected", "recorded"])
  func `a type is replaced however its name is spelled`(name: String) throws {
    let services = services()
    #expect(try services.createService(for: (any Price).self, named: name).label == "new")
    let report = services.report()
    #expect(report.diagnostics.filter { $0.code != .tie }.isEmpty)
    // The JSON of records contains what the source says.
    #expect(!report.description.split(separator: "\n").contains { $0.contains("`") && !$0.contains("{") })
  }

  @Test func `only the type itself is replaced, and not another private type with its name`() throws {
    let services = services()
    let all = try services.createServices(for: (any Price).self).map(\.label)
    #expect(all.filter { $0 == "other" }.count == 1)
    #expect(try services.createService(for: (any Price).self, named: "private").label == "other")
    let lines = services.report().description.split(separator: "\n").filter { $0.contains("OldPrice'") }
    #expect(lines.filter { $0.contains("NewPrice' replaces it") }.count == 1)
  }

  @Test func `a replaced type that is not exported is reported by its name`() throws {
    let services = services(leavingOut: ".v1.2 (beta)")
    #expect(try services.createService(for: (any Price).self, named: "dots").label == "new")
    let problem = try #require(services.report().diagnostics.first { $0.code == .unknownReplaced })
    #expect(problem.message.hasPrefix("'replaces' names 'RegistryTests.v1.2 (beta)', but no loaded image exports it"))
  }

  @Test(arguments: [
    ("Cart.CartModule", "Cart.CartModule"), ("Cart.`the shop`", "Cart.the shop"),
    ("Cart.`the\u{a0}shop`", "Cart.the shop"),
    ("Cart.the shop", "Cart.the shop"), ("Cart.`v1.2 (beta)`.Inner", "Cart.v1.2 (beta).Inner"),
    ("Cart.v1.2 (beta).Inner", "Cart.v1.2 (beta).Inner"),
    ("Cart.(unknown context at $55d0).CartModule", "Cart.CartModule"),
    ("Cart.(unknown context at $55d0).`a.b (c)`.(unknown context at $7f).D", "Cart.a.b (c).D"),
    ("Cart.(CartModule in \(hash))", "Cart.CartModule"), ("Cart.(`v1 (x in _1)` in \(hash)).A", "Cart.v1 (x in _1).A"),
    ("(extension in Cart):Swift.String.CartModule", "Cart.String.CartModule"),
    ("__C.LegacyClock", "LegacyClock"),
    ("(extension in Cart):Swift.String.(Inner in \(hash))", "Cart.String.Inner"),
    ("Cart.Box<Cart.`the shop`>", "Cart.Box<Cart.the shop>"), ("Cart.`(a in b)`", "Cart.(a in b)"),
    ("Cart.(a in b)", "Cart.(a in b)"),
    ("Cart.`(A in _B)`", "Cart.(A in _B)"), ("`", ""), ("(", "("), ("Cart.(", "Cart.("), ("a.`b", "a.b"), ("", ""),
  ])
  func `every spelling of a name has one form`(text: String, form: String) {
    #expect(text.recordForm == form)
    #expect(form.recordForm == form)
  }
}
