import Foundation
import Registry
import RegistryCTestSupport
import TestSupport
import Testing

/// Other loaders, which a library emulates that is preloaded into LoaderProbe.
///
/// Sanitizers intercept the same functions, so these tests cannot run with them.
@Suite(.enabled(if: !registry_test_is_sanitized())) struct LoaderTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appendingPathComponent("../LoaderProbe").standardizedFileURL

  /// Runs a scenario and fails unless it succeeds within ten minutes.
  private func run(
    _ scenario: String, on loader: String, plugIns count: Int, flags: [String] = [], isNamed: Bool = false,
    program: String? = nil
  ) throws {
    let emulation = try Self.object("loader", [])
    let plugIns = try (0..<count).map { number in
      let named = isNamed ? ["-DNAME=\"plugin\(number)\""] : []
      return try Self.object("plugin", flags + named, name: "plugin\(number)")
    }
    // The objects remove their files when they are released.
    let result = try withExtendedLifetime((emulation, plugIns)) {
      try Command.run(
        "timeout",
        [
          "--kill-after=5", "600", "env", "LD_PRELOAD=\(emulation.path)", "LOADER=\(loader)",
          try program ?? BuiltProgram.path("LoaderProbe"), scenario,
        ] + plugIns.map(\.path))
    }
    #expect(result.succeeded, "status \(result.status) (124: it did not end): \(result.output)")
  }

  private static func object(_ source: String, _ flags: [String], name: String? = nil) throws -> SharedObject {
    let text = try String(contentsOf: folder.appendingPathComponent("\(source).c"), encoding: .utf8)
    return try SharedObject(text, name: name ?? source, flags: ["-Wall", "-Wextra", "-Werror"] + flags)
  }

  @Test(arguments: ["uncounted", "one-lock", "unready", "glibc"])
  func `Every change of the images is detected, and lookups end`(loader: String) throws {
    try run("changes", on: loader, plugIns: 4, flags: ["-DBY_NAME"])
  }

  @Test(arguments: ["one-lock", "uncounted", "glibc"])
  func `A lookup and an initializer that looks services up do not wait for each other`(loader: String) throws {
    try run("locks", on: loader, plugIns: 2, flags: ["-DBY_NAME"])
  }

  @Test func `An image that cannot be pinned while its initializers run is read afterwards`() throws {
    try run("initializers", on: "unready", plugIns: 2)
  }

  @Test func `An image that another thread initializes stays when a second opening of it is closed`() throws {
    try run("foreign", on: "unready", plugIns: 1)
  }

  @Test(arguments: ["glibc", "uncounted", "one-lock"])
  func `Threads that scan simultaneously all find the images that they loaded`(loader: String) throws {
    try run("threads", on: loader, plugIns: 4, flags: ["-DBY_NAME"], isNamed: true)
  }

  private static let constructors = [["-DCONSTRUCTOR"], ["-DCONSTRUCTOR", "-DBY_NAME"]]

  @Test(arguments: constructors)
  func `A thread that creates an instance does not wait for a constructor that needs it`(flags: [String]) throws {
    try run("creating", on: "glibc", plugIns: 2, flags: flags, isNamed: true)
  }

  @Test(arguments: constructors)
  func `A constructor can look services up, and wait for a thread that does`(flags: [String]) throws {
    try run("joining", on: "glibc", plugIns: 2, flags: flags, isNamed: true)
  }

  @Test(arguments: constructors)
  func `Events and lookups do not wait for a constructor on another thread`(flags: [String]) throws {
    try run("events", on: "glibc", plugIns: 2, flags: flags, isNamed: true)
  }

  @Test func `An image that is closed before it is pinned is not confused with one at its address`() throws {
    try run("swapped", on: "glibc", plugIns: 2, isNamed: true)
  }

  @Test func `A program stays the same image if its file is replaced, deleted, or hidden`() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("registry-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let program = folder.appendingPathComponent("Probe").path
    // If this process wrote the file, a process that another test starts meanwhile could inherit the
    // descriptor, and the program could not be executed.
    try #require(try Command.run("cp", [try BuiltProgram.path("LoaderProbe"), program]).status == 0)
    try run("replaced-program", on: "glibc", plugIns: 1, flags: ["-DBY_NAME"], program: program)
  }

  @Test(arguments: [[], ["-DBY_NAME"]])
  func `A library stays the same image if its file is replaced or deleted`(flags: [String]) throws {
    try run("replaced-library", on: "glibc", plugIns: 2, flags: flags)
  }

  @Test func `A forked process can use the shared instances that its parent has looked up`() throws {
    try run("forks", on: "glibc", plugIns: 1)
  }

  @Test(arguments: ["memory", "first-scan"])
  func `Without memory for a scan, lookups end and answer from the known records`(scenario: String) throws {
    try run(scenario, on: "glibc", plugIns: 1, flags: ["-DSIZE=1000000"])
  }
}

/// Images and threads on ELF systems. The tests belong to the suite of other images.
extension LateImageTests {
  @Test func `a thread whose opening fails isn't opening an image anymore`() {
    let services = ServiceManager(records: .loadedImages, onDiagnostic: problems.handler)
    #expect(throws: ImageLoadError.self) { try services.openImage(at: #filePath) }
    #expect(!registry_test_is_opening())
  }

  // For such an image, GNU ld writes a hash table without the number of symbols.
  @Test func `an image with Swift code that exports no symbol stays mapped`() throws {
    let clock = """
      #include "registry_export.h"
      REGISTRY_EXPORT_SERVICE(RegistryTests.LateClock, RegistryTests.PluginClock)
      """
    // The loader uses the library that it has already loaded under this name.
    let library = try SharedObject("int unused;", name: "library", flags: ["-Wl,-soname,libswiftCore.so"])
    let script = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).map")
    try Data("{ local: *; };".utf8).write(to: script)
    defer { try? FileManager.default.removeItem(at: script) }
    let services = ServiceManager(records: .loadedImages, onDiagnostic: problems.handler)
    for needs in [["-Wl,--no-as-needed", library.path], []] {
      let object = try SharedObject(
        clock, name: "hidden_\(needs.count)",
        flags: ["-fuse-ld=bfd", "-Wl,--version-script=\(script.path)"] + needs)
      let opened = try services.openImage(at: object.path)
      #expect(services.contains(LateClock.self))
      opened.close()
      #expect(object.isMapped == !needs.isEmpty)
    }
  }
}
