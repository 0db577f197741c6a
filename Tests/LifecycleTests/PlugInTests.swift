import Lifecycle
import Registry
import TestSupport
import Testing

/// A module that the images of these tests export.
@MainActor private protocol Late: Module {}

extension Late {
  func setUp(_ context: Context) throws { context.configuration[.trace].add("+\(Self.self)") }
  func tearDown(_ context: Context) throws { context.configuration[.trace].add("-\(Self.self)") }
}

final class LateA: Late {
  static func subscribe(_ events: Subscriptions<LateA>) { events.on(.list) { _, _ in ["a"] } }
}

final class LateB: Late {
  static func subscribe(_ events: Subscriptions<LateB>) { events.on(.list) { _, _ in ["b"] } }
}

final class LateC: Late {
  func setUp(_ context: Context) throws { throw Broken() }
}

private let twoModules = """
  #include "registry_export.h"
  REGISTRY_EXPORT_MODULE(LifecycleTests.LateA, after(LifecycleTests.LateB))
  REGISTRY_EXPORT_MODULE(LifecycleTests.LateB, priority(-100))
  """

/// Tests of modules in plug-ins.
///
/// They belong to the suite that opens images by hand, because all these images are loaded and
/// unloaded.
extension ExportedModuleTests {
  private func manager(_ object: SharedObject, _ more: SharedObject? = nil, trace: Trace) -> ModuleManager {
    let paths = [object.path, more?.path]
    return ModuleManager(
      records: .images { paths.contains($0.path) }, configuration: ContextValues { $0[.trace] = trace },
      onDiagnostic: problems.handler)
  }

  @Test func `opening an image sets its modules up in order, and closing tears them down in reverse`() throws {
    let (object, trace) = (try SharedObject(twoModules, name: "modules"), Trace())
    let modules = manager(object, trace: trace)
    try modules.start()
    let plugIn = try modules.openPlugIn(at: object.path)
    #expect(plugIn.records.count == 2 && plugIn.records.allSatisfy { $0.image.path == object.path })
    #expect(plugIn.moduleNames == ["LifecycleTests.LateB", "LifecycleTests.LateA"])
    #expect(trace.lines == ["+LateB", "+LateA"])
    #expect(modules.trigger(.list) == ["b", "a"])
    plugIn.close()
    #expect(trace.lines == ["+LateB", "+LateA", "-LateA", "-LateB"])
    #expect(plugIn.moduleNames.isEmpty && modules.moduleNames.isEmpty)
    #expect(modules.trigger(.list) == [])
    #expect(!object.isMapped)
    plugIn.close()

    let again = try modules.openPlugIn(at: object.path)
    #expect(modules.trigger(.list) == ["b", "a"])
    #expect(trace.lines.suffix(2) == ["+LateB", "+LateA"])
    again.close()
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `closing an image that stays mapped removes its modules, and reopening it restores them`() throws {
    let (object, trace) = (try SharedObject(twoModules, name: "kept", swift: "public enum Anything {}"), Trace())
    let modules = manager(object, trace: trace)
    try modules.start()
    for _ in 0..<2 {
      let plugIn = try modules.openPlugIn(at: object.path)
      #expect(plugIn.moduleNames.count == 2)
      #expect(modules.trigger(.list) == ["b", "a"])
      plugIn.close()
      #expect(modules.trigger(.list) == [] && object.isMapped)
    }
    #expect(trace.lines.count == 8)
  }

  @Test func `modules of an image that is opened before the start wait for the start`() throws {
    let (object, trace) = (try SharedObject(twoModules, name: "early"), Trace())
    let modules = manager(object, trace: trace)
    let plugIn = try modules.openPlugIn(at: object.path)
    #expect(plugIn.moduleNames.isEmpty && trace.lines.isEmpty && plugIn.records.count == 2)
    try modules.start()
    #expect(plugIn.moduleNames == ["LifecycleTests.LateB", "LifecycleTests.LateA"])
    plugIn.close()
  }

  @Test func `a module that throws when its image is opened is dropped, and the others are set up`() throws {
    let object = try SharedObject(
      twoModules + "\nREGISTRY_EXPORT_MODULE(LifecycleTests.LateC, priority(5))", name: "throws")
    let modules = manager(object, trace: Trace())
    try modules.start()
    let plugIn = try modules.openPlugIn(at: object.path)
    #expect(plugIn.moduleNames == ["LifecycleTests.LateB", "LifecycleTests.LateA"])
    #expect(problems[.setUpFailed].map(\.subject) == ["LifecycleTests.LateC"])
    plugIn.close()
  }

  @Test func `an image that a handler closes no longer receives the event`() throws {
    let (object, trace) = (try SharedObject(twoModules, name: "handler"), Trace())
    let modules = manager(object, trace: trace)
    try modules.start()
    let plugIn = try modules.openPlugIn(at: object.path)
    Closer.closing = plugIn
    defer { Closer.closing = nil }
    // At its priority, this module has the smallest name. It precedes LateA and follows no module
    // of the image.
    modules.register(Closer.self, priority: 100)
    #expect(modules.trigger(.list) == ["closer"])
    #expect(trace.lines.suffix(2) == ["-LateA", "-LateB"])
  }

  @Test func `a duplicate module replaces the first one when the first image is closed`() throws {
    let trace = Trace()
    let source = "#include \"registry_export.h\"\nREGISTRY_EXPORT_MODULE(LifecycleTests.LateA)"
    let (first, second) = (try SharedObject(source, name: "first"), try SharedObject(source, name: "second"))
    let modules = manager(first, second, trace: trace)
    try modules.start()
    let (one, two) = (try modules.openPlugIn(at: first.path), try modules.openPlugIn(at: second.path))
    #expect(one.moduleNames.count == 1 && two.moduleNames.isEmpty)
    let duplicate = try #require(problems[.duplicate].first)
    let image = try #require(two.records.first?.image)
    #expect(duplicate.image == image && duplicate.message.contains("libfirst.so"))
    one.close()
    #expect(modules.trigger(.list) == ["a"])
    #expect(modules.image(of: "LifecycleTests.LateA") == image)
    #expect(trace.lines == ["+LateA", "-LateA", "+LateA"])
    two.close()
    #expect(modules.trigger(.list) == [])
  }

  @Test func `a duplicate module does not replace one that code unregisters`() throws {
    let (first, second) = (try SharedObject(twoModules, name: "ads"), try SharedObject(twoModules, name: "more_ads"))
    let modules = manager(first, second, trace: Trace())
    try modules.start()
    let (one, two) = (try modules.openPlugIn(at: first.path), try modules.openPlugIn(at: second.path))
    #expect(modules.unregister(LateA.self))
    one.close()
    #expect(modules.trigger(.list) == ["b"])
    two.close()
  }

  @Test func `a duplicate module does not replace one whose token code cancels`() throws {
    let source = "#include \"registry_export.h\"\nREGISTRY_EXPORT_MODULE(LifecycleTests."
    let (first, second) = (
      try SharedObject(source + "LateA)", name: "copy"), try SharedObject(source + "LateB)", name: "no_copy")
    )
    let modules = manager(first, second, trace: Trace())
    try modules.start()
    let token = modules.register(LateA.self)
    let one = try modules.openPlugIn(at: first.path)
    #expect(one.moduleNames.isEmpty && problems.codes == [.duplicate])
    #expect(token.cancel())
    let two = try modules.openPlugIn(at: second.path)
    #expect(modules.trigger(.list) == ["b"])
    two.close()
    one.close()
  }

  private func handlerObject(_ name: String) throws -> SharedObject {
    try SharedObject(
      "#include \"registry_record.h\""
        + SharedObject.goodAccessor { out, type, _ in
          guard let out else { return false }
          return __provideHandler(out, type) { $0.on(.list) { _ in ["handler"] } }
        } + #"""
          #define RECORD(id, kind, accessor, json) \
            __attribute__((used, aligned(8), section(".note.registry"))) static struct { \
              uint32_t a, b, c; char n[12]; registry_accessor f; char t[64]; \
            } id = {9, 72, kind, "Registry", accessor, json};
          RECORD(first, REGISTRY_KIND_MODULE, 0, "{\"module\":\"LifecycleTests.LateA\"}")
          RECORD(second, REGISTRY_KIND_MODULE, 0, "{\"module\":\"LifecycleTests.LateB\",\"priority\":1}")
          RECORD(third, REGISTRY_KIND_HANDLER, good,
            "{\"event\":\".list\",\"handler\":\"P/P.swift:1:1\",\"priority\":2}")
          """#, name: name)
  }

  @Test func `a target in two images is reported, because its handlers are called twice`() throws {
    let (first, second) = (try handlerObject("first"), try handlerObject("second"))
    let modules = manager(first, second, trace: Trace())
    try modules.start()
    let (one, two) = (try modules.openPlugIn(at: first.path), try modules.openPlugIn(at: second.path))
    #expect(modules.trigger(.list) == ["handler", "handler", "b", "a"])
    #expect(problems.diagnostics.count == 3 && problems[.duplicate].count == 3)
    let fix = "; link its target into only one of the images, or into a dynamic library product that both use"
    #expect(problems.diagnostics.allSatisfy { $0.message.hasSuffix(fix) && $0.image?.path == second.path })
    let handler = problems.diagnostics.first { $0.subject == "P/P.swift:1:1#2" }
    #expect(
      handler?.message.hasPrefix("this handler is already exported by 'libfirst.so', so each event calls") == true)
    for plugIn in [two, one] { plugIn.close() }
    #expect(modules.trigger(.list) == [] && modules.moduleNames.isEmpty)
  }

  @Test func `handlers of an opened image are called with its modules, and closing it removes them`() throws {
    let object = try handlerObject("handlers")
    let modules = manager(object, trace: Trace())
    try modules.start()
    for _ in 0..<2 {
      let plugIn = try modules.openPlugIn(at: object.path)
      #expect(plugIn.moduleNames == ["LifecycleTests.LateB", "LifecycleTests.LateA"] && plugIn.records.count == 3)
      #expect(modules.trigger(.list) == ["handler", "b", "a"])
      #expect(modules.image(of: "P/P.swift:1:1")?.path == object.path)
      plugIn.close()
      #expect(modules.trigger(.list) == [] && modules.image(of: "P/P.swift:1:1") == nil)
    }
    let other = try OpenedImage(object.path)
    defer { other.close() }
    #expect(modules.scanImages() == ["LifecycleTests.LateB", "LifecycleTests.LateA"])
    #expect(problems.diagnostics.isEmpty)
  }

  @Test func `an image that cannot be opened changes nothing`() throws {
    let modules = ModuleManager(onDiagnostic: problems.handler)
    try modules.start()
    #expect(throws: ImageLoadError.self) { try modules.openPlugIn(at: "/nowhere/libnothing.so") }
    #expect(modules.moduleNames.isEmpty)
  }
}

private final class Closer: Module {
  static var closing: PlugIn?

  static func subscribe(_ events: Subscriptions<Closer>) {
    events.on(.list) { _, _ in
      closing?.close()
      return ["closer"]
    }
  }
}
