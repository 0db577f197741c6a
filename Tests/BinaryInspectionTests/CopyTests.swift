import Foundation
import Registry
import TestSupport
import Testing

@testable import BinaryInspection

/// The check for several copies of this library.
@Suite struct CopyTests {
  private let library = TestRecord(kind: 0x6c69_6272, json: #"{"library":"swift-section-registry"}"#)

  private func copy(_ path: String, _ type: ImageHeader.FileType = .library) -> SimulatedObject {
    .with([library], path: path, type: type)
  }

  /// Returns the pairs of files with copies, and a question mark for those that are not linked.
  private func pairs(_ objects: SimulatedObject...) -> [String] {
    SimulatedObject.inspection(objects).families.flatMap { CopyCheck($0).pairs }.map {
      "\($0.other.path) \($0.image.path)\($0.isLinked ? "" : "?")"
    }
  }

  @Test func `two files with a copy are a problem, or a note if they can be separate`() {
    let inspection = SimulatedObject.inspection([copy("App", .executable), copy("PlugIn", .bundle)])
    let consequence =
      "separate managers, so neither finds the modules, services, and instances of the other; make the app, its libraries,"
      + " and its plug-ins depend on the product 'RegistryDynamic' [two-copies]"
    #expect(
      inspection.check().map(\.description) == [
        "PlugIn: error: swift-section-registry: this image and 'App' each contain a copy of the library with \(consequence)"
      ])
    #expect(inspection.check(librariesAreSeparate: true) == [])
    #expect(
      inspection.copyRemarks().map(\.description) == [
        "PlugIn: note: this image and 'App' each contain a copy of the library; if a process loads both, they have \(consequence)"
      ])
  }

  @Test func `a linked file with a copy is always a problem`() {
    let app = copy("App", .executable).linking(["Cart.dylib"])
    let inspection = SimulatedObject.inspection([copy("lib/Cart.dylib"), app])
    #expect(inspection.check(librariesAreSeparate: true).map(\.file) == ["lib/Cart.dylib"])
    #expect(inspection.copyRemarks() == [])
  }

  @Test func `links lead through other files, by their own names`() {
    let app = copy("App", .executable).linking(["libMiddle.so.1"])
    let middle = SimulatedObject.with([], path: "libMiddle.so").linking(["libEnd.so", "libc.so"], as: "libMiddle.so.1")
    #expect(pairs(app, middle, copy("libEnd.so")) == ["App libEnd.so"])
    // The plug-in and its library are loaded together, also if the executable has no copy.
    let plugIn = copy("libPlug.so").linking(["libEnd.so"])
    let plain = SimulatedObject.with([], path: "Plain", type: .executable)
    #expect(pairs(plain, plugIn, copy("libEnd.so")) == ["libPlug.so libEnd.so"])
    #expect(pairs(plugIn, copy("libEnd.so")) == ["libPlug.so libEnd.so"])
    // Files that link each other are not opened at run time.
    #expect(pairs(app, copy("libMiddle.so.1").linking(["App"]), plain) == ["App libMiddle.so.1"])
  }

  @Test func `separate processes, objects, and one copy are no problem`() {
    let app = copy("App", .executable)
    let plain = SimulatedObject.with([], path: "Plain", type: .library)
    #expect(pairs(app, copy("Tool", .executable), copy("Cart.o", .object), plain) == [])
    #expect(pairs(copy("libPlug.so"), plain) == [])
    // The extension links the framework, so the app does not load it.
    let helper = SimulatedObject.with([], path: "Helper", type: .executable).linking(["Shared"])
    #expect(pairs(app, helper, copy("Shared")) == [])
    #expect(pairs(app, helper, copy("Shared"), copy("Plug", .bundle)) == ["App Plug?", "Shared Plug?"])
  }

  @Test func `an ELF file states the libraries that it links, and its own name`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("linkage-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try Data("int cart(void) { return 1; }".utf8).write(to: folder.appendingPathComponent("cart.c"))
    try Data("int cart(void); int main(void) { return cart(); }".utf8).write(to: folder.appendingPathComponent("app.c"))
    for arguments in [
      ["-shared", "-fPIC", "cart.c", "-Wl,-soname,libcart.so.7", "-o", "libcart.so"],
      ["app.c", "./libcart.so", "-o", "app"],
    ] {
      let run = try Command.run("clang", arguments, in: folder.path)
      #expect(run.succeeded, "\(run.output)")
    }
    let images = Inspection(of: ["libcart.so", "app"].map { folder.appendingPathComponent($0).path }).images
    #expect(images.map(\.linkage.name) == ["libcart.so.7", nil])
    #expect(images.last?.linkage.libraries == ["libcart.so.7", "libc.so.6"])
  }

  @Test func `a Mach-O file states the libraries that it links, and its own name`() throws {
    func command(_ kind: UInt32, _ name: String, offset: UInt32 = 24) -> [UInt8] {
      let text = Array(name.utf8) + [UInt8](repeating: 0, count: 8 - name.utf8.count % 8)
      return MachOBuilder.command(kind, offset, 0, 0, 0).replacingSize(24 + text.count) + text
    }
    var builder = MachOBuilder()
    builder.commands = [
      command(0xd, "@rpath/Cart.framework/Cart"), command(0xc, "/usr/lib/libSystem.B.dylib"),
      command(0x8000_0018, "@rpath/Weak.dylib"), command(0x8000_001f, "Again.dylib"), command(0x8000_0023, "Up.dylib"),
      command(0xc, "outside", offset: 4_000), command(0xc, "before", offset: 8), MachOBuilder.command(0xc),
    ]
    let linkage = try builder.file().linkage
    #expect(
      linkage == Linkage(name: "Cart", libraries: ["libSystem.B.dylib", "Weak.dylib", "Again.dylib", "Up.dylib"]))
  }
}

extension [UInt8] {
  /// Returns a load command with another size.
  fileprivate func replacingSize(_ size: Int) -> [UInt8] {
    var bytes = Bytes(self)
    bytes.put(UInt32(size), at: 4)
    return bytes.bytes
  }
}
