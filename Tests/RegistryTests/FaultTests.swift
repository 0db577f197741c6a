import Foundation
import Registry
import RegistryReports
import TestSupport
import Testing

protocol Stage: Sendable { var isLit: Bool { get } }
protocol Backdrop: Sendable {}
protocol Stool: Sendable {}

/// A class of the main actor that a C record exports.
@MainActor final class MainStage: Stage, MainActorNamedExport {
  nonisolated let isLit: Bool
  init() {
    MainActor.assertIsolated()
    isLit = true
  }
}

@MainActor final class UnlitBackdrop: Backdrop, MainActorNamedExport {
  init() throws { throw Refused() }
}

/// A class that a C record exports, and whose first initialization fails.
final class SecondTryStool: Stool, NamedExport {
  static let attempts = Counter()
  init() throws { if Self.attempts.increment() == 1 { throw Refused() } }
}

private let theatre = """
  #include "registry_export.h"
  REGISTRY_EXPORT_SERVICE(RegistryTests.Stage, RegistryTests.MainStage, scope(shared))
  REGISTRY_EXPORT_SERVICE(RegistryTests.Backdrop, RegistryTests.UnlitBackdrop)
  REGISTRY_EXPORT_SERVICE(RegistryTests.Stool, RegistryTests.SecondTryStool, scope(shared))
  """

@Suite(.serialized, .timeLimit(.minutes(20))) struct FaultTests {
  let problems = DiagnosticCollector()

  /// Creates a manager with the records of a library that is compiled for the test.
  private func opened(_ name: String) throws -> (services: ServiceManager, image: OpenedImage, object: SharedObject) {
    let object = try SharedObject(theatre, name: name)
    let path = object.path
    let services = ServiceManager(records: .images { $0.path == path }, onDiagnostic: problems.handler)
    return (services, try services.openImage(at: path), object)
  }

  @Test func `a main-actor class of a C record is created there only, and then serves every thread`()
    async throws
  {
    let (services, image, object) = try opened("main_stage")
    defer { withExtendedLifetime(object) { image.close() } }
    let error = #expect(throws: ServiceError.self) { try services.createService(for: Stage.self) }
    #expect(error?.code == .wrongIsolation && error?.service == "RegistryTests.Stage")
    let main = try #require(image.image)
    #expect(
      error?.description.hasPrefix(
        "'RegistryTests.MainStage' (\(main)) implements 'RegistryTests.Stage' and is isolated to 'MainActor'") == true)
    #expect(try await services.service(for: Stage.self).isLit)
    #expect(try services.createService(for: Stage.self).isLit)
    #expect(problems.diagnostics.isEmpty)
  }

  @MainActor @Test func `on the main actor, it is created immediately, and its error names it`() throws {
    let (services, image, object) = try opened("main_stage_here")
    defer { withExtendedLifetime(object) { image.close() } }
    #expect(try services.createService(for: Stage.self).isLit)
    let error = #expect(throws: ServiceError.self) { try services.createService(for: Backdrop.self) }
    #expect(error?.code == .initializerFailed && error?.service == "RegistryTests.Backdrop")
    #expect(error?.underlying is Refused)
    #expect(error!.description.contains("by 'RegistryTests.UnlitBackdrop' (libmain_stage_here.so) threw an error"))
  }

  @Test func `the next lookup calls an initializer again after an error`() throws {
    let (services, image, object) = try opened("second_try")
    defer { withExtendedLifetime(object) { image.close() } }
    let error = #expect(throws: ServiceError.self) { try services.createService(for: Stool.self) }
    #expect(error?.description.contains("'RegistryTests.SecondTryStool' (libsecond_try.so)") == true)
    let stool = try services.createService(for: Stool.self)
    #expect(try services.createService(for: Stool.self) as AnyObject === stool as AnyObject)
    #expect(SecondTryStool.attempts.value == 2)
  }

  @Test func `three threads that wait for each other are a cycle with every step`() throws {
    let services = ServiceManager(onDiagnostic: problems.handler)
    defer { for name in ["0", "1", "2"] { services.unregister(Stool.self, named: name) } }
    let started = Counter()
    for index in 0..<3 {
      services.register(Stool.self, scope: .shared, named: "\(index)") {
        started.increment()
        // Wait until each thread creates its own instance, or until a thread has detected the
        // cycle.
        while started.value < 3 { sched_yield() }
        return try services.createService(for: Stool.self, named: "\((index + 1) % 3)")
      }
    }
    let paths = Locked<[[String]]>([])
    onThreads(3) { index in
      do {
        _ = try services.createService(for: Stool.self, named: "\(index)")
      } catch {
        let steps = (error as? ServiceError)?.steps ?? []
        #expect(!steps.isEmpty, "\(error)")
        paths.withLock { $0.append(steps) }
      }
    }
    let found = paths.withLock { $0 }
    // The thread that closes the cycle reports all of it. The others fail with it, or report a
    // cycle of their own.
    #expect(found.count == 3)
    #expect(found.contains { $0.count == 4 && $0.first == $0.last && Set($0).count == 3 })
  }

  /// Checks two waits with the same identity.
  ///
  /// A wait is identified by the address of the thread's first stack frame. The next creation on
  /// the thread often has the same address.
  @Test func `a finished wait is not part of a cycle`() {
    final class Bench: Stool {}
    let services = ServiceManager(onDiagnostic: problems.handler)
    let names = ["first", "second", "awaited"]
    defer { for name in names { services.unregister(Stool.self, named: name) } }
    let stage = Counter()
    let attempts = Counter()
    @Sendable func wait(for value: Int) { while stage.value < value { sched_yield() } }
    // One thread creates `first`, which waits for `awaited`, and then `second`, which waits for
    // nothing.
    services.register(Stool.self, scope: .shared, named: "first") {
      wait(for: 1)
      stage.increment()
      return (try? services.createService(for: Stool.self, named: "awaited")) ?? Bench()
    }
    services.register(Stool.self, scope: .shared, named: "second") {
      stage.increment()
      wait(for: 4)
      yieldProcessor()
      return Bench()
    }
    // The other thread creates `awaited`. That fails until the first thread creates `second`, and
    // then needs `second`.
    services.register(Stool.self, scope: .shared, named: "awaited") {
      switch attempts.increment() {
      case 1:
        stage.increment()
        wait(for: 2)
        yieldProcessor()
        throw CancellationError()
      case 2:
        throw CancellationError()
      default:
        stage.increment()
        return try services.createService(for: Stool.self, named: "second")
      }
    }
    let cycles = Locked<[String]>([])
    onThreads(2) { index in
      for step in 0..<2 {
        if index == 1, step == 1 { wait(for: 3) }
        do {
          let name = index == 1 ? "awaited" : step == 0 ? "first" : "second"
          _ = try services.createService(for: Stool.self, named: name)
        } catch let error as ServiceError where error.code == "service-cycle" {
          cycles.withLock { $0.append("\(error)") }
        } catch {}
      }
    }
    #expect(cycles.withLock { $0 } == [])
    #expect(attempts.value == 3)
  }

  @Test func `a diagnostics handler that causes its own diagnostics is not called endlessly`() {
    let told = Counter()
    let box = Locked<ServiceManager?>(nil)
    let services = ServiceManager { _ in
      guard let services = box.withLock({ $0 }) else { return }
      // Each pair of registrations is a tie, and therefore causes another diagnostic.
      services.register(Int.self, named: "\(told.increment() / 2)") { 1 }
      services.register(Int.self, named: "\(told.increment() / 2)") { 2 }
    }
    box.withLock { $0 = services }
    defer { box.withLock { $0 = nil } }
    services.register(Int.self) { 1 }
    services.register(Int.self) { 2 }
    #expect(told.value > 0 && told.value < 10_000)
    let codes = Set(services.report().diagnostics.map(\.code))
    #expect(!codes.isEmpty && codes.isSubset(of: [.tie, .takeover]))
  }
}
