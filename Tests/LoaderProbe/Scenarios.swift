import Foundation
import Lifecycle
import Registry
import RegistryReports
import Routing
import TestSupport

extension LoaderProbe {
  /// Checks that every change of the list of images is found, even if the loader does not count,
  /// and that every lookup ends.
  static func changes(_ plugIns: [String]) throws {
    let problems = DiagnosticCollector()
    let services = ServiceManager(records: .loadedImages, onDiagnostic: problems.handler)
    let router = Router(records: .loadedImages, onDiagnostic: problems.handler)
    var handles: [String: UnsafeMutableRawPointer] = [:]
    for path in plugIns + plugIns.reversed() + plugIns + plugIns {
      if let handle = handles.removeValue(forKey: path) { dlclose(handle) } else { handles[path] = try open(path) }
      try check((try? services.createService(for: (any Missing).self)) == nil, "nothing exports it")
      for (reader, report) in [("services", services.report()), ("routes", router.report())] {
        let images = Set(report.records.map(\.image.path)).intersection(plugIns)
        try check(images == Set(handles.keys), "the manager of \(reader) knows \(images) of \(handles.keys)")
      }
    }
    try check(problems.diagnostics.isEmpty, "\(problems.diagnostics)")
  }

  static let services = ServiceManager(records: .loadedImages, onDiagnostic: { _ in })
  private static let router = Router(records: .loadedImages, onDiagnostic: { _ in })

  static func lookUp() {
    _ = try? services.createService(for: (any Missing).self)
    _ = try? services.createServices(for: (any Missing).self)
    _ = services.contains((any Missing).self)
    _ = router.routes
  }

  /// Checks that a lookup on one thread and an initializer on another thread that looks up services
  /// do not wait for each other.
  static func locks(_ plugIns: [String]) throws {
    setenv("PROBE_INITIALIZE", address(of: { LoaderProbe.lookUp() }), 1)
    let rounds = Counter()
    onThreads(2) { thread in
      if thread == 0 {
        while rounds.value < 300 { lookUp() }
      } else {
        while rounds.increment() <= 300 {
          for path in plugIns { if let handle = try? open(path) { dlclose(handle) } }
        }
      }
    }
  }

  static let hasBegun = DispatchSemaphore(value: 0)
  private static let mayEnd = DispatchSemaphore(value: 0)
  private static let isOpen = DispatchSemaphore(value: 0)

  private static func waitInInitializer() {
    hasBegun.signal()
    mayEnd.wait()
  }

  /// Opens an image on another thread, which then stays in the image's initializer.
  ///
  /// Images that are opened later have no initializer.
  static func beginInitializing(_ path: String, byManager: Bool = false) {
    setenv("PROBE_INITIALIZE", address(of: { LoaderProbe.waitInInitializer() }), 1)
    Thread.detachNewThread {
      if byManager { _ = try? services.openImage(at: path) } else { _ = try? open(path) }
      isOpen.signal()
    }
    hasBegun.wait()
    unsetenv("PROBE_INITIALIZE")
  }

  static func endInitializing() {
    mayEnd.signal()
    isOpen.wait()
  }

  /// Checks that an image that cannot be pinned while its initializers run is read afterwards,
  /// although nothing else changes.
  static func initializers(_ plugIns: [String]) throws {
    let problems = DiagnosticCollector()
    let services = ServiceManager(records: .loadedImages, onDiagnostic: problems.handler)
    let other = ServiceManager(records: .loadedImages, onDiagnostic: problems.handler)
    let router = Router(records: .loadedImages, onDiagnostic: problems.handler)
    // The first plug-in is loaded before the first scan, but read after it.
    beginInitializing(plugIns[0])
    for services in [services, other] {
      let error = lateError(of: services)
      try check(error.contains("plugin0.so (not read yet, because the loader refuses to keep it loaded)"), error)
      try check(!services.contains((any Late).self), "it cannot be used yet")
      let unready = services.report().diagnostics.filter { $0.code == .imageNotReady }
      try check(unready.map(\.subject) == [plugIns[0]], "\(unready)")
      try check("\(unready)".contains("loaded, usually because another thread runs initializers;"), "\(unready)")
      _ = try services.createService(for: (any Own).self)
    }
    try check(router.report().diagnostics.contains { $0.code == .imageNotReady }, "the router says so as well")
    endInitializing()
    // The first manager finds the image in its own scan, and the second in a scan that has already
    // ended.
    for services in [services, other] {
      _ = try services.createService(for: (any Late).self)
      try check(services.report().records.contains { $0.image.path == plugIns[0] }, "its records are known")
      try check(services.report().diagnostics.isEmpty, "\(services.report().diagnostics)")
    }
    try check(router.report().records.contains { $0.image.path == plugIns[0] }, "the router knows them")
    _ = try open(plugIns[1])
    let batches = services.report().records.filter { $0.kind == .service }.map(\.image.batch)
    try check(Set(batches.dropLast()) == [0] && batches.last != 0, "\(batches)")
    try check(problems.diagnostics.isEmpty, "\(problems.diagnostics)")
  }

  /// Returns the error of a lookup of the plug-ins' service, or an empty text if the lookup
  /// succeeds.
  private static func lateError(of services: ServiceManager) -> String {
    do {
      _ = try services.createService(for: (any Late).self)
      return ""
    } catch {
      return "\(error)"
    }
  }

  /// Checks that an image that one thread is still initializing does not belong to the next thread
  /// that opens it.
  static func foreign(_ plugIns: [String]) throws {
    let services = ServiceManager(records: .loadedImages, onDiagnostic: { print($0) })
    _ = services.report()
    let path = plugIns[0]
    beginInitializing(path)
    let opened = try services.openImage(at: path)
    endInitializing()
    _ = try services.createService(for: (any Late).self)
    opened.close()
    _ = try services.createService(for: (any Late).self)
    try check(services.report().records.contains { $0.image.path == path }, "the first thread still has it open")
  }

  /// Checks that every thread finds the service of the image that it has loaded, however many
  /// threads scan at once.
  static func threads(_ plugIns: [String]) throws {
    let services = ServiceManager(records: .loadedImages, onDiagnostic: { print($0) })
    let missed = Counter()
    for _ in 0..<50 {
      onThreads(plugIns.count) { number in
        guard let handle = try? open(plugIns[number]) else { return _ = missed.increment() }
        let name = "plugin\(number)"
        if (try? services.createService(for: (any Late).self, named: name)) == nil { missed.increment() }
        dlclose(handle)
      }
    }
    try check(missed.value == 0, "\(missed.value) lookups found nothing")
  }

  /// Sets whether allocations that are as large as the record of a plug-in fail.
  private static func limitMemory(_ isLimited: Bool) throws {
    guard let function = dlsym(UnsafeMutableRawPointer(bitPattern: 0), "loader_limit_memory") else {
      throw Failure(message: "the emulated loader is not preloaded")
    }
    unsafeBitCast(function, to: (@convention(c) (Int) -> Void).self)(isLimited ? 1 << 19 : 0)
  }

  /// Checks that, without memory for a scan, lookups end and use the records that are known.
  static func memory(_ plugIns: [String]) throws {
    let problems = DiagnosticCollector()
    let services = ServiceManager(records: .loadedImages, onDiagnostic: problems.handler)
    let router = Router(records: .loadedImages, onDiagnostic: problems.handler)
    // A scenario runs on the main thread.
    let modules = MainActor.assumeIsolated {
      ModuleManager(services: services, records: .loadedImages, onDiagnostic: problems.handler)
    }
    func knownToModules() -> [ExportedRecord] { MainActor.assumeIsolated { modules.report().records } }
    _ = try services.createService(for: (any Own).self)
    _ = router.report()
    _ = knownToModules()
    try limitMemory(true)
    _ = try open(plugIns[0])
    for _ in 0..<3 {
      try check((try? services.createService(for: (any Late).self)) == nil, "its image could not be read")
      try check(try services.createServices(for: (any Own).self).count == 1, "what is known goes on to work")
      _ = router.report()
      _ = knownToModules()
    }
    try check(
      problems.codes == [.outOfMemory, .outOfMemory, .outOfMemory], "once for each manager: \(problems.diagnostics)")
    try limitMemory(false)
    _ = try services.createService(for: (any Late).self)
    try check(router.report().records.contains { $0.image.path == plugIns[0] }, "the router knows it")
    try check(knownToModules().contains { $0.image.path == plugIns[0] }, "the module manager knows it")
  }

  /// Checks that lookups end if memory is exhausted during the first scan.
  static func firstScan(_ plugIns: [String]) throws {
    let problems = DiagnosticCollector()
    let services = ServiceManager(records: .loadedImages, onDiagnostic: problems.handler)
    _ = try open(plugIns[0])
    try limitMemory(true)
    for _ in 0..<3 { try check((try? services.createService(for: (any Own).self)) == nil, "nothing could be read") }
    try check(problems.codes == [.outOfMemory], "\(problems.diagnostics)")
    try limitMemory(false)
    _ = try services.createService(for: (any Own).self)
    _ = try services.createService(for: (any Late).self)
  }
}
