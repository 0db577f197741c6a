import Foundation
import Registry
import RegistryReports
import TestSupport
import Testing

@testable import Lifecycle

// Modules whose types the macro, the runtime, and code spell in different ways.

@ExportModule final class `Shared prices`: Module {}
@ExportModule final class `Shared v1.2 (beta)`: Module {}
extension Swift.Int { @ExportModule final class IdentityReferred: Module {} }
extension Foundation.URL { @ExportModule final class IdentityReferred: Module {} }
enum Department { enum Shelf {} }
typealias ShortShelf = Department.Shelf
extension ShortShelf { @ExportModule final class IdentityReferred: Module {} }

@ExportModule(
  priority: 100,
  after: [
    `Shared prices`.self, `Shared v1.2 (beta)`.self, Int.IdentityReferred.self, URL.IdentityReferred.self,
    ShortShelf.IdentityReferred.self,
  ])
final class IdentityFollower: Module {}

@ExportModule(
  priority: 100,
  after: [
    "LifecycleTests.Shared prices", "LifecycleTests.`Shared v1.2 (beta)`",
    "LifecycleTests.Department.Shelf.IdentityReferred",
  ])
final class IdentityByName: Module {}

#needs(module: `Shared prices`.self)
#needs(module: `Shared v1.2 (beta)`.self)
#needs(module: Swift.Int.IdentityReferred.self)
#needs(module: Foundation.URL.IdentityReferred.self)
#needs(module: ShortShelf.IdentityReferred.self)
#needs(module: "LifecycleTests.`Shared prices`")

/// References to modules by their types, and by every spelling of their names.
@Suite(.timeLimit(.minutes(20))) @MainActor struct TypeReferenceTests {
  let problems = DiagnosticCollector()

  private func manager(_ records: RecordSource? = nil) -> ModuleManager {
    ModuleManager(
      records: records
        ?? .records { record in
          if record.kind == .need { return record.attributes.contains("TypeReferenceTests.swift") }
          guard record.kind == .module, let name = record.typeName else { return false }
          return ["Shared prices", "Shared v1.2 (beta)", ".IdentityReferred", "IdentityFollower", "IdentityByName"]
            .contains {
              name.hasSuffix($0)
            }
        }, onDiagnostic: problems.handler)
  }

  @Test func `a type in after and in a need is found however its name is spelled`() throws {
    let modules = manager()
    modules.requireAllNeeds()
    modules.require(modules: "LifecycleTests.`Shared prices`", "LifecycleTests.Shared v1.2 (beta)")
    try modules.start()
    #expect(problems.diagnostics.isEmpty)
    #expect(modules.moduleNames.count == 7)
    #expect(modules.moduleNames.last == "LifecycleTests.IdentityFollower")
    let byName = try #require(modules.moduleNames.firstIndex(of: "LifecycleTests.IdentityByName"))
    let named = ["LifecycleTests.Shared prices", "LifecycleTests.Shared v1.2 (beta)"]
    #expect(Set(modules.moduleNames[..<byName]).isSuperset(of: named + ["LifecycleTests.ShortShelf.IdentityReferred"]))
    // The JSON of records contains what the source says.
    #expect(!modules.report().description.split(separator: "\n").contains { $0.contains("`") && !$0.contains("{") })
  }

  private static let types: [any Module.Type] = [
    `Shared prices`.self, `Shared v1.2 (beta)`.self, Int.IdentityReferred.self, URL.IdentityReferred.self,
    ShortShelf.IdentityReferred.self,
  ]

  @Test(arguments: 0..<5) func `a name can be what String(reflecting:) returns`(index: Int) throws {
    let type = Self.types[index]
    let modules = manager()
    let name = String(reflecting: type)
    modules.require(modules: name)
    modules.register(Late.self, after: [name])
    try modules.start()
    #expect(modules.image(of: name) != nil && modules.image(of: recordName(of: type)) == modules.image(of: name))
    #expect(problems.diagnostics.isEmpty)
    #expect(modules.unregister(named: name) && !modules.unregister(type))
  }

  @Test func `a class is registered by its name`() throws {
    let name = "Shared prices"
    let modules = ModuleManager(records: .none, onDiagnostic: problems.handler)
    try modules.start()
    #expect(modules.register(named: "LifecycleTests.`\(name)`") && modules.moduleNames == ["LifecycleTests.\(name)"])
    #expect(problems.diagnostics.isEmpty)
  }

  @Test(arguments: 0..<5) func `a class is registered by its name, or the error states why none finds it`(
    index: Int
  ) throws {
    let type = Self.types[index]
    let modules = manager(RecordSource.none)
    // The second has a name with a period, and the third and the fourth are in extensions of types
    // of other modules.
    let isFound = ![1, 2, 3].contains(index)
    #expect(modules.register(named: String(reflecting: type)) == isFound)
    #expect(problems.diagnostics.map(\.code) == (isFound ? [] : [.unknownClass]))
    #expect(problems.diagnostics.allSatisfy { $0.message.hasSuffix("cannot be found by name") })
  }

  private final class Late: Module {}
}
