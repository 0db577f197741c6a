import Foundation
import Registry
import TestSupport
import Testing

@testable import BinaryInspection

/// The check for several copies of this library.
@MainActor @Suite struct CopyTests {
  private let library = TestRecord(kind: 0x6c69_6272, json: #"{"library":"swift-section-registry"}"#)

  private func copy(_ path: String, _ type: ImageHeader.FileType = .library) -> SimulatedObject {
    .with([library], path: path, type: type)
  }

  /// Returns the pairs of files with copies, with a question mark for those that are not linked,
  /// and a second one for those that are no problem.
  private func pairs(_ objects: SimulatedObject...) -> [String] {
    SimulatedObject.inspection(objects).families.map(LinkedImages.init).flatMap { images in
      zip(images.copies(librariesAreSeparate: true), images.copies(librariesAreSeparate: false))
    }.map { separate, together in
      // In separate processes, only images that are linked are a problem.
      "\(together.other.path) \(together.image.path)\(separate.isProblem ? "" : "?")\(together.isProblem ? "" : "?")"
    }
  }

  /// Returns the notes on copies.
  private func notes(_ inspection: Inspection, librariesAreSeparate: Bool = false) -> [InspectionProblem] {
    inspection.check(for: .note, librariesAreSeparate: librariesAreSeparate).filter { $0.code == .twoCopies }
  }

  @Test func `two files with a copy are a problem, or a note if they can be separate`() {
    let inspection = SimulatedObject.inspection([copy("App", .executable), copy("PlugIn", .bundle)])
    let consequence =
      "separate managers, so neither finds the modules, services, and instances of the other; make the app, its libraries,"
      + " and its plug-ins depend on the product 'RegistryDynamic' [two-copies]"
    #expect(
      inspection.check(for: .problem).map(\.description) == [
        "PlugIn: error: swift-section-registry: this image and 'App' each contain a copy of the library with \(consequence)"
      ])
    let test = SimulatedObject.inspection([copy("App.xctest", .executable), copy("PlugIn", .bundle)])
    #expect(test.check(for: .problem).map { $0.description.contains("the plugin 'RegistryDynamicTesting'") } == [true])
    #expect(notes(inspection) == [])
    #expect(inspection.check(for: .problem, librariesAreSeparate: true) == [])
    #expect(
      notes(inspection, librariesAreSeparate: true).map(\.description) == [
        "PlugIn: note: this image and 'App' each contain a copy of the library; if a process loads both, they have \(consequence)"
      ])
  }

  @Test func `a linked file with a copy is always a problem`() {
    let app = copy("App", .executable).linking(["Cart.dylib"])
    let inspection = SimulatedObject.inspection([copy("lib/Cart.dylib"), app])
    #expect(inspection.check(for: .problem, librariesAreSeparate: true).map(\.file) == ["lib/Cart.dylib"])
    #expect(notes(inspection, librariesAreSeparate: true) == [])
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
    // No other file links these libraries, which link each other.
    let cycle = [copy("libA.so").linking(["libB.so"]), copy("libB.so").linking(["libA.so"])]
    #expect(pairs(cycle[0], cycle[1]) == ["libA.so libB.so"])
    #expect(pairs(copy("App", .executable), cycle[0], cycle[1]) == ["App libA.so?", "libA.so libB.so"])
    // Files that link each other are not opened at run time.
    #expect(pairs(app, copy("libMiddle.so.1").linking(["App"]), plain) == ["App libMiddle.so.1"])
  }

  @Test(arguments: ["libRegistryDynamic.so", "libRegistryDynamic.dylib", "RegistryDynamic"])
  func `the library RegistryDynamic is a copy even if only a link names it`(name: String) {
    let app = copy("App", .executable)
    let plugIns = ["libA.so", "libB.so"].map { SimulatedObject.with([], path: $0).linking(["libc.so", name]) }
    #expect(pairs(app, plugIns[0], plugIns[1]) == ["App \(name)?"])
    // That file was not passed, so the problem names the one that links it.
    let inspection = SimulatedObject.inspection([app, plugIns[1], plugIns[0]])
    let text = "'\(name)', which this image links, and 'App' each contain a copy of the library with"
    #expect(inspection.check(for: .problem).map { $0.file + $0.text.prefix(text.count) } == ["libB.so\(text)"])
    let plain = SimulatedObject.with([], path: "App", type: .executable).linking([name])
    let plugIn = SimulatedObject.inspection([copy("libC.so"), plain]).check(for: .problem)
    let start = "this image and '\(name)', which 'App' links, each contain a copy"
    #expect(plugIn.map { $0.file + $0.text.prefix(start.count) } == ["libC.so\(start)"])
    #expect(pairs(app, plugIns[0], plugIns[1], copy("lib/\(name)")) == ["App lib/\(name)?"])
    #expect(pairs(app, plugIns[0], copy("lib/other").linking(as: name)) == ["App lib/other?"])
    #expect(pairs(app.linking([name]), plugIns[0]) == ["App \(name)"])
    // All images share the library.
    let dynamic = SimulatedObject.with([], path: "App", type: .executable).linking([name])
    #expect(pairs(dynamic, plugIns[0], plugIns[1]) == [] && pairs(plugIns[0], plugIns[1]) == [])
  }

  @Test func `an executable other than a test that links Swift Testing is noted`() {
    let files = ["App", "Tests.xctest", "ShopTests.xctest/Contents/MacOS/ShopTests", "build/shop_test"].map {
      SimulatedObject.with([], path: $0, type: .executable).linking(["libTesting.so"])
    }
    let library = SimulatedObject.with([], path: "libA.so").linking(["libTesting.so"])
    let notes = SimulatedObject.inspection(files + [library]).check(for: .note).filter { $0.code == .testingLibrary }
    #expect(
      notes.map(\.description) == [
        "App: note: the executable links 'libTesting.so', which exists only where tests run; let only test targets depend on"
          + " 'RegistryTesting' [testing-library]"
      ])
    let mac = SimulatedObject.with([], path: "App", type: .executable).linking(["Testing"])
    #expect(SimulatedObject.inspection([mac]).check(for: .note).contains { $0.code == .testingLibrary })
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

  @Test(arguments: ["libShared.so", nil])
  func `an image links the nearest library with a name`(soname: String?) {
    func shared(_ folder: String) -> SimulatedObject { copy("\(folder)/libShared.so").linking(as: soname) }
    func program(_ path: String, _ type: ImageHeader.FileType = .executable) -> SimulatedObject {
      .with([], path: path, type: type).linking(["libShared.so"])
    }
    let app = program("App/App")
    let helper = program("App/Helper/Helper")
    #expect(pairs(app, helper, shared("App/Helper/Frameworks"), shared("App/Frameworks")) == [])
    // An extension loads the library of the app around it rather than that of another extension.
    let appCopy = copy("App/App", .executable).linking(["libShared.so"])
    let other = program("App/PlugIns/A.appex/A")
    let another = program("App/PlugIns/B.appex/B")
    let nested = shared("App/PlugIns/A.appex/Frameworks")
    #expect(
      pairs(appCopy, other, another, nested, shared("App/Frameworks")) == ["App/App App/Frameworks/libShared.so"])
    let plain = SimulatedObject.with([], path: "App/Frameworks/libShared.so")
    let own = copy("App/PlugIns/B.appex/B", .executable).linking(["libShared.so"])
    #expect(pairs(app, other, own, nested, plain) == [])
    // A process has one library with a name, also if another library has a copy of its own nearby.
    let plugIn = program("PlugIns/Plug", .bundle)
    #expect(pairs(app, plugIn, shared("PlugIns"), shared("App/Frameworks")) == [])
    #expect(
      pairs(appCopy, plugIn, shared("PlugIns"), shared("App/Frameworks")) == ["App/App App/Frameworks/libShared.so"])
  }

  @Test func `images with the same own name are not loaded together, but others with one file name are`() {
    func named(_ name: String?) -> [SimulatedObject] {
      ["a/Plug", "b/Plug"].map { copy($0).linking(as: name) }
    }
    #expect(pairs(named("Plug")[0], named("Plug")[1]) == [])
    #expect(pairs(named(nil)[0], named(nil)[1]) == ["a/Plug b/Plug?"])
  }

  @Test func `a library that not every executable conflicts with can belong to another one`() {
    let app = copy("App", .executable)
    let plain = SimulatedObject.with([], path: "Plain", type: .executable)
    #expect(pairs(app, plain, copy("Plug", .bundle)) == ["App Plug??"])
    #expect(pairs(app, copy("Tool", .executable), copy("Plug", .bundle)) == ["App Plug?", "Tool Plug?"])
    // The order of the files does not matter.
    let helper = SimulatedObject.with([], path: "Helper", type: .executable).linking(["Shared"])
    #expect(pairs(app, helper, copy("Plug", .bundle), copy("Shared")) == ["App Plug?", "Shared Plug?"])
    let inspection = SimulatedObject.inspection([app, plain, copy("Plug", .bundle)])
    #expect(inspection.check(for: .problem) == [])
    #expect(notes(inspection).map(\.file) == ["Plug"])
    #expect(notes(inspection, librariesAreSeparate: true).map(\.file) == ["Plug"])
  }

  @Test func `images for different platforms are in different processes`() throws {
    let app = copy("App", .executable)
    let watch = SimulatedObject.with([library], path: "Watch/Plug", platform: 4)
    #expect(pairs(app, watch) == [] && pairs(app, copy("Watch/Plug")) != [])
    func platform(_ commands: [UInt8]...) throws -> UInt32? {
      var builder = MachOBuilder()
      builder.commands = commands
      return try builder.file().header.platform
    }
    #expect(try platform() == nil)
    #expect(try platform(MachOBuilder.command(0x32, 2, 0, 0, 0)) == 2)
    // Mac Catalyst loads images for macOS, and a file can be for both.
    #expect(try platform(MachOBuilder.command(0x32, 6, 0, 0, 0)) == 1)
    #expect(try platform(MachOBuilder.command(0x32, 1, 0, 0, 0), MachOBuilder.command(0x32, 6, 0, 0, 0)) == 1)
    #expect(try platform(MachOBuilder.command(0x32)) == nil)
    for (kind, number) in [(0x24, 1), (0x25, 2), (0x2f, 3), (0x30, 4)] as [(UInt32, UInt32)] {
      #expect(try platform(MachOBuilder.command(kind, 0, 0)) == number)
    }
  }

  @Test func `an ELF file states the libraries that it links, and its own name`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("linkage-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // Libraries such as glibc's name an interpreter, like programs.
    let library = """
      const char interpreter[] __attribute__((section(".interp"))) = "/lib64/ld-linux-x86-64.so.2";
      int cart(void) { return 1; }
      """
    try Data(library.utf8).write(to: folder.appendingPathComponent("cart.c"))
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
    #expect(images.map(\.header.type) == [.library, .executable])
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
      command(0x20, "Lazy.dylib"),
      command(0xc, "outside", offset: 4_000), command(0xc, "before", offset: 8), MachOBuilder.command(0xc),
    ]
    let linkage = try builder.file().linkage
    let libraries = ["libSystem.B.dylib", "Weak.dylib", "Again.dylib", "Up.dylib", "Lazy.dylib"]
    #expect(linkage == Linkage(name: "Cart", libraries: libraries))
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
