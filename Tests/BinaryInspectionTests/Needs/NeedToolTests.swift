import Foundation
import TestSupport
import Testing

/// The needs in files that compilers create.
@Suite struct NeedToolTests {
  private let tool = ToolTests()
  private static let c = """
    #include "registry_export.h"
    REGISTRY_EXPORT_SERVICE(Shop.Cart, Shop.DefaultCart, named(gift))
    REGISTRY_NEEDS_SERVICE(Shop.Cart, named(gift), optional(yes))
    REGISTRY_RECORD_(REGISTRY_KIND_NEED, "__reg_exports", "{\\"protocol\\":\\"Shop.Cat\\",\\"dependent\\":\\"Shop.Screen\\"}")
    REGISTRY_RECORD_(REGISTRY_KIND_NEED, "__reg_exports", "{\\"protocol\\":\\"P\\",\\"route\\":\\".r\\"}")
    """
  private static let unmet =
    "error: Shop.Cat: needed by 'Shop.Screen', but no file exports an implementation; link the target that exports it, or,"
    + " if code registers it, pass '--registered Shop.Cat'; did you mean 'Shop.Cart'? [unmet-need]"
  private static let incomplete =
    "no executable is passed, so what it exports is not checked; pass all files that one process loads"
    + " [nothing-selected]"
  private static let malformed = "expected one of the members 'protocol', 'route', 'module', and 'point'"

  private func check(_ path: String, in folder: String? = nil) throws {
    let list = try tool.tool(["list", path], in: folder)
    let rows = list.output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(list.status == 0 && rows.contains { $0.starts(with: ["need", "Shop.Cart", "(optional)", "gift", "no"]) })
    #expect(rows.contains { $0.starts(with: ["need", "Shop.Screen", "Shop.Cat", "no"]) }, "\(list.output)")
    let json = try tool.tool(["list", "--format=json", path], in: folder).output
    #expect(json.contains(#"{"kind":"need","known":true,"source":"registry","path":""#))
    #expect(json.contains(#""malformed":false,"attributes":{"protocol":"Shop.Cat","dependent":"Shop.Screen"}}"#))
    #expect(json.contains(#""malformed":true,"code":"malformed-record","attributes":{"protocol":"P","route":".r"}}"#))
    let check = try tool.tool(["check", path], in: folder)
    #expect(check.status == 1 && check.errors.contains("\(path): \(Self.unmet)\n"), "\(check.errors)")
    let isLinked = !path.hasSuffix(".o")
    #expect(check.errors.contains("\(path): note: \(Self.incomplete)\n") == isLinked)
    #expect(try !tool.tool(["check", "--separate", path], in: folder).errors.contains(Self.incomplete))
    #expect(check.errors.contains(Self.malformed) && check.errors.contains("[malformed-record]"))
    let registered = try tool.tool(["check", "--registered", "Cat", "--registered=P", path], in: folder)
    #expect(!registered.errors.contains("unmet-need"), "\(registered.errors)")
    #expect(!registered.errors.contains(Self.incomplete))
    func report(_ options: String...) throws -> String {
      try tool.tool(["report", "--format", "json"] + options + [path], in: folder).output
    }
    #expect(try report().contains("unmet-need") && !report("--registered", "Cat").contains("unmet-need"))
    let graph = try tool.tool(["graph", path], in: folder)
    #expect(graph.status == 0 && graph.output.contains(#"label="Shop.Cat\nnot exported", shape=box, style=dashed"#))
  }

  @Test func `the needs of C code are listed, checked, and drawn as ELF and as Mach-O`() throws {
    let library = try SharedObject(
      Self.c, name: "needs", swift: "public protocol Cart {}\npublic class DefaultCart {}", module: "Shop")
    try withExtendedLifetime(library) { try check(library.path) }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("needs-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data(Self.c.utf8).write(to: folder.appendingPathComponent("needs.c"))
    let compiled = try Command.run(
      "clang",
      [
        "-target", "arm64-apple-macos13", "-nostdlibinc", "-ffreestanding", "-I", SharedObject.headers, "-c", "needs.c",
      ], in: folder.path)
    #expect(compiled.succeeded, "\(compiled.output)")
    try check("needs.o", in: folder.path)
  }

  @Test func `the needs of Swift code are found in its object`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("shop-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let source = """
      import Registry
      protocol CartService {}
      protocol Promotion {}
      @ExportService(CartService.self) struct DefaultCart: CartService { init() {} }
      final class CartScreen {
        @Service var cart: any CartService
        @Service var promotion: (any Promotion)?
        @Service(named: "gift") var gifts: any CartService
      }
      #needs(Promotion.self)
      """
    try Data(source.utf8).write(to: folder.appendingPathComponent("Screen.swift"))
    let plugin = try BuiltProgram.path("RegistryMacros-tool")
    let products = URL(fileURLWithPath: plugin).deletingLastPathComponent()
    let compiled = try Command.run(
      "swiftc",
      [
        "-swift-version", "6", "-parse-as-library", "-module-name", "Shop", "-load-plugin-executable",
        "\(plugin)#RegistryMacros", "-I", products.appendingPathComponent("Modules").path, "-Xcc",
        "-fmodule-map-file=\(products.appendingPathComponent("RegistryC.build/module.modulemap").path)", "-c",
        "Screen.swift", "-o", "Screen.o",
      ], in: folder.path)
    #expect(compiled.succeeded, "\(compiled.output)")
    let check = try tool.tool(["check", "Screen.o"], in: folder.path)
    let fix = "; link the target that exports it, or, if code registers it, pass '--registered"
    #expect(check.status == 1 && check.output == "5 records in 1 image: 2 problems\n")
    #expect(
      check.errors == """
        Screen.o: error: CartService (Shop/Screen.swift:8:3): needed by 'Shop.CartScreen', but no file exports an \
        implementation named 'gift', only one without a name\(fix) CartService' [unmet-need]
        Screen.o: error: Promotion (Shop/Screen.swift:10:1): needed by code at the top level of a file, but no file \
        exports an implementation\(fix) Promotion' [unmet-need]
        Screen.o: note: the classes cannot be read, so classes that no file contains are not reported [unread-classes]
        Screen.o: note: Promotion (Shop/Screen.swift:7:3): 'Shop.CartScreen' can also work without it, and no file \
        exports an implementation [unmet-need]

        """)
    let list = try tool.tool(["list", "Screen.o"], in: folder.path).output
    #expect(list.contains("need  Shop.CartScreen (Shop/Screen.swift:8:3)  CartService"), "\(list)")
    #expect(list.contains("need  Shop.CartScreen (Shop/Screen.swift:7:3)  Promotion (optional)"), "\(list)")
  }
}
