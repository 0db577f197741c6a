#if os(Linux)
import Foundation
import Testing

// These tests run the expansions of attributes. The program finds its own records, queries each
// accessor for its type and for a provider, and prints the isolation of the initializer.

private let program = """
  import API
  import Registry

  typealias Accessor = @convention(c) (UnsafeMutableRawPointer, UnsafeRawPointer?, UInt) -> Bool
  typealias Maker = @isolated(any) () throws -> any S

  @_silgen_name("dl_iterate_phdr") nonisolated func dl_iterate_phdr(
    _ body: @convention(c) (UnsafeRawPointer, Int, UnsafeRawPointer?) -> CInt, _ data: UnsafeRawPointer?
  ) -> CInt

  nonisolated func show(_ record: UnsafeRawPointer, _ json: String) {
    let accessor = record.load(fromByteOffset: 24, as: Accessor.self)
    let out = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 8)
    var other = 0
    guard accessor(out, nil, 0), !accessor(out, &other, 0) else { return print("refused") }
    let type = out.load(as: UnsafeRawPointer.self)
    guard type == unsafeBitCast((any S).self as Any.Type, to: UnsafeRawPointer.self), accessor(out, type, 0) else {
      return print("refused")
    }
    let make = out.assumingMemoryBound(to: Maker.self).pointee
    print(json.split(separator: "\\"")[7], make.isolation.map { "\\(Swift.type(of: $0))" } ?? "nonisolated")
  }

  @main struct Main {
    static func main() {
      // The first image is the program. Its dl_phdr_info consists of an address, a name, a pointer
      // to headers, and their number. The code reads the type, address, and size of each header.
      _ = dl_iterate_phdr(
        { info, _, _ in
          let address = info.load(as: UInt.self)
          let headers = info.load(fromByteOffset: 16, as: UnsafeRawPointer.self)
          for index in 0..<Int(info.load(fromByteOffset: 24, as: UInt16.self)) {
            let header = headers + index * 56
            guard header.load(as: UInt32.self) == 4 else { continue }
            let start = UnsafeRawPointer(bitPattern: address + header.load(fromByteOffset: 16, as: UInt.self))!
            var offset = 0
            while offset + 32 <= header.load(fromByteOffset: 40, as: Int.self) {
              let note = start + offset
              let name = Int(note.load(as: UInt32.self)), payload = Int(note.load(fromByteOffset: 4, as: UInt32.self))
              if note.load(fromByteOffset: 8, as: UInt32.self) == 0x7365_7276 {
                show(note, String(cString: (note + 32).assumingMemoryBound(to: CChar.self)))
              }
              offset += (12 + name + 7) / 8 * 8 + (payload + 7) / 8 * 8
            }
          }
          return 1
        }, nil)
    }
  }
  """

private let services = """
  import API
  import Registry

  @ExportService((any S).self) @MainActor final class Written: S { init() {} }
  @ExportService((any S).self) final class Inferred: S { init() throws {} }
  @ExportService((any S).self) final class Implied: S {}
  @ExportService((any S).self) struct Value: S { init() {} }
  @ExportService((any S).self) nonisolated final class Free: S { init() {} }
  @ExportService((any S).self) nonisolated struct FreeValue: S { init() {} }
  @ExportService((any S).self) actor Actor: S { init() throws {} }
  @ExportService((any S).self) actor Implicit: S {}
  @ExportService((any S).self) actor OnMain: S { @MainActor init() {} }
  @ExportService((any S).self) final class Receiving: S { init(services: ServiceManager) {} }
  @ExportService((any S).self) @MainActor struct ReceivingOnMain: S { init(services: ServiceManager) throws {} }
  """

/// A module that exports, registers, and overrides a service that is not sendable, and one that is.
///
/// It prints whether lookups of the first one find an instance, as itself and as a sendable type,
/// and lookups of the second one.
private let sendability = """
  import API
  import Registry

  @ExportService((any S).self, named: "exported MODE") struct Loose: S { init() {} }
  @ExportService((any T).self, named: "exported MODE") struct Safe: T { init() {} }

  struct Gauges {
    @Service(named: "exported MODE") var plain: any S
    @Service(named: "exported MODE") var marked: (any S & Sendable)?
    @Service(named: "exported MODE") var safe: any T
  }

  private func show(_ title: String, _ services: ServiceManager, named name: String? = nil) {
    let plain = try? services.createService(for: (any S).self, named: name)
    let marked = try? services.createService(for: (any S & Sendable).self, named: name)
    let all = try? services.createServices(for: (any S & Sendable).self)
    let safe = try? services.createService(for: (any T).self, named: name)
    print("MODE \\(title):", plain != nil, marked != nil || all != nil, safe != nil)
  }

  public func checkMODE() async {
    show("exported", .shared, named: "exported MODE")
    ServiceManager.shared.onDiagnostic = { _ in }
    let gauges = Gauges()
    let (plain, safe): (any S, any T) = (gauges.plain, gauges.safe)
    print("MODE properties:", plain is Loose, gauges.marked != nil, safe is Safe)
    let services = ServiceManager(onDiagnostic: { _ in })
    services.register((any S).self) { Loose() }
    services.register((any T).self, priority: 1) { Safe() }
    show("registered", services)
    services.register((any S).self, named: "made") { _ in Loose() }
    services.register((any T).self, named: "made") { _ in Safe() }
    show("made", services, named: "made")
    await services.withOverrides {
      $0.override((any S).self, named: "x") { Loose() }
      $0.override((any T).self, named: "x", line: 1) { Safe() }
    } operation: {
      await Task.yield()
      show("overrides", services, named: "x")
    }
    await services.withOverrides {
      $0.override((any S).self, named: "y") { Loose() }
    } operation: {
      await services.withOverrides {
        $0.override((any T).self, named: "y") { Safe() }
      } operation: {
        await Task.yield()
        show("override", services, named: "y")
      }
    }
  }

  public func checkScopeMODE(_ services: ServiceManager) {
    services.withOverrides {
      $0.override((any S).self, named: "z") { Loose() }
    } operation: {
      services.withOverrides {
        $0.override((any T).self, named: "z") { Safe() }
      } operation: {
        show("scope", services, named: "z")
      }
    }
  }
  """

/// A program with three managers, which prints the managers that instances receive.
private let managers = """
  import Registry

  struct Name: Sendable { let text: String }
  protocol Kept: Sendable { var manager: String { get } }
  protocol Made: Sendable { var manager: String { get } }
  @MainActor protocol OnMain: Sendable { var manager: String { get } }
  protocol Outer: Sendable { var name: Name { get } }

  extension ServiceManager { var name: String { (try? createService(for: Name.self).text) ?? "none" } }

  @ExportService((any Kept).self, scope: .shared) final class KeptByManager: Kept {
    let manager: String
    init(services: ServiceManager) { manager = services.name }
  }
  @ExportService((any Made).self) struct MadeForCaller: Made {
    let manager: String
    init() { manager = "no manager" }
    init(services: ServiceManager) throws { manager = services.name }
  }
  @ExportService((any OnMain).self, scope: .shared) final class KeptOnMain: OnMain {
    let manager: String
    init(services: ServiceManager) { manager = services.name }
  }
  @ExportService((any Outer).self, group: "document") struct Document: Outer {
    let services: ServiceManager
    init(services: ServiceManager) { self.services = services }
    @Service(in: \\Document.services) var name: Name
  }

  @main struct Main {
    static func main() async throws {
      let second = ServiceManager(records: .loadedImages)
      let child = ServiceManager(parent: .shared, records: .group("document"))
      for (manager, name) in [(ServiceManager.shared, "shared"), (second, "second"), (child, "child")] {
        manager.register(Name.self) { Name(text: name) }
      }
      for manager in [ServiceManager.shared, second, child] {
        let main = try await Task { @concurrent in try await manager.service(for: (any OnMain).self) }.value
        print(
          "\\(manager.name):", try manager.createService(for: (any Kept).self).manager,
          try manager.createService(for: (any Made).self).manager, main.manager)
      }
      child.register(Name.self, priority: 1) { Name(text: "child's own") }
      print("nested:", try child.createService(for: (any Outer).self).name.text)
    }
  }
  """

@Suite struct AccessorTests {
  @Test func `An accessor provides the initializer with its isolation`() throws {
    let modes: [(module: String, version: String, mainByDefault: Bool)] = [
      ("Swift5", "5", false), ("Swift5Main", "5", true), ("Swift6", "6", false), ("Swift6Main", "6", true),
    ]
    let modules = modes.map { mode in
      let isolation = mode.mainByDefault ? ["-default-isolation", "MainActor"] : []
      return Compiler.Module(name: mode.module, source: services, flags: ["-swift-version", mode.version] + isolation)
    }
    let output = try Compiler.runProgram(
      [Compiler.Module(name: "API", source: "public protocol S {}")] + modules
        + [Compiler.Module(name: "Program", source: program)])
    let expected = modes.flatMap { mode in
      let inferred = mode.mainByDefault ? "MainActor" : "nonisolated"
      // In Swift 6 mode, an implicit initializer without properties to set is not isolated.
      let implied = mode.mainByDefault && mode.version == "5" ? "MainActor" : "nonisolated"
      return [
        "Actor nonisolated", "Free nonisolated", "FreeValue nonisolated", "Implicit nonisolated", "Implied \(implied)",
        "Inferred \(inferred)", "OnMain MainActor", "Receiving \(inferred)", "ReceivingOnMain MainActor",
        "Value \(inferred)", "Written MainActor",
      ].map { "\(mode.module).\($0)" }
    }
    #expect(output.split(separator: "\n").map(String.init).sorted() == expected.sorted())
  }

  @Test func `An instance receives its manager, and its properties use that manager`() throws {
    let output = try Compiler.runProgram([Compiler.Module(name: "Program", source: managers)])
    #expect(
      output.split(separator: "\n") == [
        "shared: shared shared shared", "second: second second second", "child: shared child shared",
        "nested: child's own",
      ])
  }

  // In Swift 5 mode, the compiler accepts a call of the wrong overload without a message.
  @Test func `Each language mode distinguishes services that are sendable`() throws {
    let modules = ["5", "6"].map { version in
      Compiler.Module(
        name: "Swift\(version)", source: sendability.replacing("MODE", with: version),
        flags: ["-swift-version", version, "-warnings-as-errors"])
    }
    let program = """
      import Swift5
      import Swift6

      @main struct Main {
        static func main() async {
          await check5()
          await check6()
          checkScope5(.init(onDiagnostic: { _ in }))
          checkScope6(.init(onDiagnostic: { _ in }))
        }
      }
      """
    let output = try Compiler.runProgram(
      [Compiler.Module(name: "API", source: "public protocol S {}\npublic protocol T: Sendable {}")] + modules
        + [Compiler.Module(name: "Program", source: program)])
    let titles = ["exported", "properties", "registered", "made", "overrides", "override", "scope"]
    let lines = ["5", "6"].flatMap { mode in titles.map { "\(mode) \($0): true false true" } }
    #expect(output.split(separator: "\n").map(String.init).sorted() == lines.sorted())
  }
}
#endif
