import Foundation
import Lifecycle
import Registry
import RegistryReports
import TestSupport

/// Scenarios with plug-ins whose initializers the loader calls with its own lock held.
///
/// The first plug-in of each pair is opened with `dlopen`, and the second one with a manager.
extension LoaderProbe {
  private static let number = Locked(0)
  private static let found = Locked<AnyObject?>(nil)

  /// Checks that a thread that creates a shared instance does not wait for a constructor.
  ///
  /// The thread looks up a missing service, and the constructor needs the instance.
  static func creating(_ plugIns: [String]) throws {
    setenv(
      "PROBE_INITIALIZE",
      address(of: {
        LoaderProbe.hasBegun.signal()
        let name = "\(LoaderProbe.number.withLock { $0 })"
        let service = try? LoaderProbe.services.createService(for: (any Lasting).self, named: name)
        LoaderProbe.found.withLock { $0 = service as AnyObject? }
      }), 1)
    for (index, path) in plugIns.enumerated() {
      let isOpen = DispatchSemaphore(value: 0)
      number.withLock { $0 = index }
      services.register((any Lasting).self, scope: .shared, named: "\(index)") {
        Thread.detachNewThread {
          if index % 2 == 0 { _ = try? open(path) } else { _ = try? services.openImage(at: path) }
          isOpen.signal()
        }
        hasBegun.wait()
        lookUp()
        return LastingService()
      }
      let instance = try services.createService(for: (any Lasting).self, named: "\(index)") as AnyObject
      isOpen.wait()
      try check(found.withLock { $0 } === instance, "the constructor of \(path) gets the instance")
      _ = try services.createService(for: (any Late).self, named: "plugin\(index)")
    }
  }

  /// Checks that a constructor can look up services, and can wait for a thread that does.
  static func joining(_ plugIns: [String]) throws {
    setenv(
      "PROBE_INITIALIZE",
      address(of: {
        onThreads(1) { _ in LoaderProbe.lookUp() }
        LoaderProbe.lookUp()
      }), 1)
    for (index, path) in plugIns.enumerated() {
      if index % 2 == 0 { _ = try open(path) } else { _ = try services.openImage(at: path) }
      _ = try services.createService(for: (any Late).self, named: "plugin\(index)")
    }
  }

  /// Checks that events and lookups do not wait for a constructor on another thread, and find its
  /// image afterwards.
  static func events(_ plugIns: [String]) throws {
    // A scenario runs on the main thread.
    try MainActor.assumeIsolated {
      let modules = ModuleManager(records: .loadedImages, onDiagnostic: { print($0) })
      try modules.start()
      for (index, path) in plugIns.enumerated() {
        beginInitializing(path, byManager: index % 2 == 1)
        for _ in 0..<10 {
          modules.trigger(.probed)
          lookUp()
        }
        endInitializing()
        modules.trigger(.probed)
        try check(modules.report().records.contains { $0.image.path == path }, "the manager knows \(path)")
        _ = try services.createService(for: (any Late).self, named: "plugin\(index)")
      }
    }
  }

  /// Checks that a child process can use shared instances that its parent has looked up.
  ///
  /// Other threads of the parent scan images. The child of a process with one thread can do
  /// everything.
  static func forks(_ plugIns: [String]) throws {
    let lasting = try services.createService(for: (any Lasting).self)
    try inChild {
      lookUp()
      guard let opened = try? services.openImage(at: plugIns[0]) else { return false }
      defer { opened.close() }
      return (try? services.createService(for: (any Late).self)) != nil
    }
    let isOver = Locked(false)
    for _ in 0..<4 { Thread.detachNewThread { while !isOver.withLock({ $0 }) { lookUp() } } }
    for _ in 0..<200 { try inChild { (try? services.createService(for: (any Lasting).self)) === lasting } }
    isOver.withLock { $0 = true }
  }

  private static func inChild(_ body: () -> Bool) throws {
    let child = fork()
    if child == 0 {
      // The system ends a child that waits forever.
      alarm(60)
      _exit(body() ? 0 : 1)
    }
    var status: Int32 = 0
    try check(waitpid(child, &status, 0) == child && status == 0, "the child ended with status \(status)")
  }
}
