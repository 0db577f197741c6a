import Foundation
import TestSupport
import TestWaits
import Testing

@testable import Registry

private let clock = """
  #include "registry_export.h"
  REGISTRY_EXPORT_SERVICE(RegistryTests.LateClock, RegistryTests.PluginClock)
  """

/// Unusual operations on images.
///
/// They belong to the suite whose images are loaded and unloaded.
extension LateImageTests {
  @Test(arguments: ["", "/nowhere\0/x"])
  func `an invalid path opens nothing and is an error`(path: String) throws {
    let services = ServiceManager(records: .loadedImages, onDiagnostic: problems.handler)
    let error = #expect(throws: ImageLoadError.self) { try services.openImage(at: path) }
    #expect(error?.description.contains("cannot be opened: the path ") == true)
    #expect(error?.description.contains("pass the path") == true)
  }

  @Test func `an image that was loaded before a registration precedes it, although no lookup found it`() throws {
    let services = ServiceManager(records: .loadedImages, onDiagnostic: problems.handler)
    #expect(!services.contains(LateClock.self))
    let object = try SharedObject(clock, name: "before")
    try object.open()
    defer { object.close() }
    services.register(LateClock.self) { PluginMidnight() }
    #expect(try services.createService(for: LateClock.self).now() == 12)
  }

  @Test func `a library that stays mapped is opened and closed with the images that need it`() throws {
    let services = ServiceManager(records: .loadedImages, onDiagnostic: problems.handler)
    let library = try SharedObject(clock, name: "kit", swift: "public enum Anything {}")
    let objects = try ["a", "b"].map {
      try SharedObject("", name: "needs_kit_\($0)", flags: ["-Wl,--no-as-needed", library.path])
    }
    for path in objects.map(\.path) {
      // In the second round, the image is still mapped, although it has been closed.
      let opened = try services.openImage(at: path)
      #expect(services.contains(LateClock.self) && opened.records.map(\.image.path) == [library.path])
      opened.close()
      #expect(!services.contains(LateClock.self) && library.isMapped)
    }

    let orders = [[0, 1, 2], [2, 0, 1], [1, 2, 0], [2, 1, 0]]
    for order in orders {
      let opened = try [library.path, objects[0].path, objects[1].path].map { try services.openImage(at: $0) }
      for (place, index) in order.enumerated() {
        #expect(services.contains(LateClock.self), "\(order) \(place)")
        opened[index].close()
      }
      #expect(!services.contains(LateClock.self))
    }
  }

  /// C code that uses the symbol by which the library recognizes an image with Swift code.
  private static let swiftSymbol = """
    extern void swift_addNewDSOImage(const void *);
    __attribute__((used)) void (*initialiser)(const void *) = swift_addNewDSOImage;
    """

  @Test(arguments: ["gnu", "sysv", "both"], [true, false])
  func `an image with Swift code stays mapped, whatever its symbol table`(table: String, hasSwift: Bool) throws {
    let services = ServiceManager(records: .loadedImages, onDiagnostic: problems.handler)
    let object = try SharedObject(
      clock + (hasSwift ? "\n" + Self.swiftSymbol : ""), name: "\(table)_\(hasSwift)",
      flags: ["-Wl,--hash-style=\(table)"])
    let opened = try services.openImage(at: object.path)
    #expect(services.contains(LateClock.self))
    opened.close()
    #expect(object.isMapped == hasSwift && !services.contains(LateClock.self))
  }

  @Test func `an image is distinguished from a closed one at the same address`() throws {
    let services = ServiceManager(records: .loadedImages, onDiagnostic: problems.handler)
    let (old, new) = (try SharedObject(clock, name: "address_1"), try SharedObject(clock, name: "address_2"))
    // The loader usually chooses the address that was freed last.
    for _ in 0..<100 {
      try old.open()
      let before = ImageCatalog.scan()
      let base = try #require(before.images.first { $0.image.path == old.path }).base
      old.close()
      let opened = try OpenedImage(new.path, after: before)
      #expect(services.contains(LateClock.self))
      // The image stays mapped, so the loader does not cause the following results.
      try new.open()
      opened.close()
      #expect(new.isMapped && !services.contains(LateClock.self))
      new.close()
      if opened.base == base { return }
    }
    Issue.record("the loader never chose the same address twice")
  }

  @Test func `an image that was closed is found when other code opens it at the same address`() throws {
    let services = ServiceManager(records: .loadedImages, onDiagnostic: problems.handler)
    let object = try SharedObject(clock, name: "other_code")
    // The loader usually chooses the address that was freed last.
    for _ in 0..<10 {
      try services.openImage(at: object.path).close()
      try object.open()
      #expect(services.contains(LateClock.self))
      object.close()
      #expect(!services.contains(LateClock.self))
    }
  }

  @Test func `the problems of an image that is opened again are reported with the new image`() throws {
    let object = try SharedObject(
      clock + "\n" + Self.swiftSymbol + """

        __attribute__((used, aligned(8), section(".note.registry"))) static const struct {
          uint32_t a, b, c; char n[12]; uint64_t f; char t[8];
        } broken = {9, 12, 0x73657276, "Registry", 0, "{}"};
        """, name: "comes_back")
    let path = object.path
    let services = ServiceManager(records: .images { $0.path == path }, onDiagnostic: problems.handler)
    var images: [LoadedImage?] = []
    for _ in 0..<2 {
      let opened = try services.openImage(at: object.path)
      images.append(opened.image)
      #expect(opened.records.count == 1)
      opened.close()
    }
    #expect(problems[.malformedRecord].map(\.image) == images)
    #expect(Set(images).count == 2)
  }

  @Test func `images and registrations are ordered by time of addition, whatever their priority`() throws {
    struct StoppedClock: LateClock {
      func now() -> Int { 0 }
    }
    let services = ServiceManager(records: .loadedImages, onDiagnostic: problems.handler)
    let objects = try ["before", "behind"].map { try SharedObject(clock, name: $0) }
    // The objects remove their files when they are released. An optimizer could release them before
    // the last one is opened.
    defer { withExtendedLifetime(objects) {} }
    let first = try services.openImage(at: objects[0].path)
    services.register(LateClock.self, priority: 1_000) { StoppedClock() }
    let second = try services.openImage(at: objects[1].path)
    #expect(try services.createServices(for: LateClock.self).map { $0.now() } == [12, 0, 12])
    #expect(try services.createService(for: LateClock.self).now() == 12)
    first.close()
    #expect(try services.createServices(for: LateClock.self).map { $0.now() } == [0, 12])
    second.close()
  }

  @Test func `an image that was closed since the last scan does not conflict with its successor`() throws {
    let services = ServiceManager(records: .images { $0.name.hasPrefix("libheir") }, onDiagnostic: problems.handler)
    let old = try SharedObject(clock, name: "heir_1")
    let new = try SharedObject(
      clock.replacing("PluginClock)", with: "PluginMidnight, priority(1))"), name: "heir_2")
    try old.open()
    #expect(try services.createServices(for: LateClock.self).map { $0.now() } == [12])
    old.close()
    try new.open()
    defer { new.close() }
    #expect(try services.createServices(for: LateClock.self).map { $0.now() } == [0])
    #expect(problems.diagnostics.isEmpty, "\(problems.diagnostics)")
  }

  @Test(.timeLimit(.minutes(20)))
  func `contributions that an image does not change are not delivered again`() async throws {
    let services = ServiceManager(records: .loadedImages, onDiagnostic: problems.handler)
    let point = ContributionPoint<[Int]>("late.unchanged")
    let lists = Locked<[[Int]]>([])
    let changes = services.contributionChanges(to: point)
    let task = Task { for await list in changes { lists.withLock { $0.append(list) } } }
    defer { task.cancel() }
    try await until("the first list is delivered") { lists.withLock { !$0.isEmpty } }
    let object = try SharedObject(clock, name: "unchanged")
    try services.openImage(at: object.path).close()
    for _ in 0..<1_000 { await Task.yield() }
    services.contribute(to: point) { 1 }
    try await until("the change is delivered") { lists.withLock { $0.last } == [1] }
    #expect(lists.withLock { $0 } == [[], [1]])
    withExtendedLifetime(services) {}
  }

  @Test func `tokens and opened images do not keep their manager alive`() throws {
    let object = try SharedObject(clock, name: "unowned")
    weak var core: ServiceCore?
    var tokens: [RegistrationToken] = []
    var opened: OpenedImage?
    do {
      let services = ServiceManager(onDiagnostic: problems.handler)
      core = services.core
      tokens.append(services.register(LateClock.self) { PluginClock() })
      tokens.append(services.contribute(to: ContributionPoint<[Int]>("late.unowned")) { 1 })
      tokens.append(services.observeIntervals { _ in })
      opened = try services.openImage(at: object.path)
    }
    #expect(core == nil)
    #expect(tokens.allSatisfy { !$0.cancel() })
    opened?.close()
  }

  @Test func `an image without records reports those of the libraries it needs`() throws {
    let services = ServiceManager(records: .loadedImages, onDiagnostic: problems.handler)
    let library = try SharedObject(clock, name: "under")
    let object = try SharedObject("", name: "umbrella", flags: ["-Wl,--no-as-needed", library.path])
    let opened = try services.openImage(at: object.path)
    #expect(opened.image == nil && opened.records.map(\.image.path) == [library.path])
    opened.close()
    #expect(!services.contains(LateClock.self))
  }

  @Test func `a truncated file is rejected`() throws {
    let services = ServiceManager(records: .loadedImages, onDiagnostic: problems.handler)
    let (object, cut) = (try SharedObject(clock, name: "whole"), try SharedObject("", name: "cut"))
    let whole = try Data(contentsOf: URL(fileURLWithPath: object.path))
    for size in stride(from: 0, to: 3_000, by: 37) {
      // Write to another file, because the loader has mapped the one that it opened.
      try whole.prefix(size).write(to: URL(fileURLWithPath: cut.path))
      #expect(throws: ImageLoadError.self) { try services.openImage(at: cut.path) }
    }
    try whole.write(to: URL(fileURLWithPath: cut.path))
    try services.openImage(at: cut.path).close()
  }

  @Test func `a symbolic link opens the same image`() throws {
    let services = ServiceManager(records: .loadedImages, onDiagnostic: problems.handler)
    let object = try SharedObject(clock, name: "linked")
    let link = object.path + ".link"
    _ = try Command.run("ln", ["-s", object.path, link])
    let (a, b) = (try services.openImage(at: object.path), try services.openImage(at: link))
    #expect(a.image == b.image && b.records.isEmpty)
    a.close()
    #expect(services.contains(LateClock.self))
    b.close()
    #expect(!services.contains(LateClock.self) && !object.isMapped)
  }
}
