import Foundation
import Lifecycle
import Registry
import TestSupport
import Testing

@testable import AppHost

@MainActor struct NotificationEventTests {
  private let center = NotificationCenter()
  private let problems = DiagnosticCollector()
  private let becameActive = Notification.Name("active")

  /// Adds an observer as the code for UIKit does.
  private var observer: (_ posted: @escaping @MainActor @Sendable (()) -> Void) -> Void {
    { [center, becameActive] posted in
      _ = center.addObserver(forName: becameActive, object: nil, queue: nil) { _ in
        MainActor.assumeIsolated { posted(()) }
      }
    }
  }

  private func manager() -> ModuleManager { ModuleManager(onDiagnostic: problems.handler) }

  @Test func `an event is triggered once even if a delegate, hooks, and a view observe its notification`() throws {
    let modules = manager()
    try modules.start()
    var count = 0
    modules.on(.didBecomeActive) { _ in count += 1 }
    for _ in ["the delegate", "the hooks", "the view"] {
      modules.observe(.didBecomeActive, addObserver: observer)
    }
    center.post(name: becameActive, object: nil)
    #expect(count == 1)
    center.post(name: becameActive, object: nil)
    #expect(count == 2)
    withExtendedLifetime(modules) {}
  }

  @Test func `the event of a scene has its payload, and delegates and hooks share its observer`() throws {
    let modules = manager()
    try modules.start()
    var scenes: [String] = []
    modules.on(.sceneDidDisconnect) { scene, _ in scenes.append(scene.identifier) }
    var post: [@MainActor (AppScene) -> Void] = []
    for _ in ["a delegate", "another delegate", "the hooks"] {
      modules.observe(.sceneDidDisconnect) { post.append($0) }
    }
    for name in ["s1", "s2"] { for post in post { post(AppScene(identifier: name)) } }
    #expect(scenes == ["s1", "s2"])
  }

  @Test func `every manager receives the event`() throws {
    var names: [String] = []
    let managers = [manager(), manager()]
    for (modules, name) in zip(managers, ["first", "second"]) {
      try modules.start()
      modules.on(.didBecomeActive) { _ in names.append(name) }
      modules.observe(.didBecomeActive, addObserver: observer)
    }
    center.post(name: becameActive, object: nil)
    // Observers keep no manager alive, and a release build destroys one after its last use.
    withExtendedLifetime(managers) {}
    #expect(names.sorted() == ["first", "second"])
  }

  @Test func `a notification that modules miss because they never started is reported once`() throws {
    let modules = manager()
    var count = 0
    modules.on(.didBecomeActive) { _ in count += 1 }
    modules.observe(.didBecomeActive, addObserver: observer)
    for _ in 0..<3 { center.post(name: becameActive, object: nil) }
    #expect(problems.diagnostics.map(\.code) == [.notStarted])
    #expect(problems.diagnostics.first?.subject == "app.didBecomeActive")
    try modules.start()
    center.post(name: becameActive, object: nil)
    #expect(count == 1 && problems.diagnostics.count == 1)
  }

  @Test func `the observer of a notification does not keep the manager`() {
    weak var released: ModuleManager?
    do {
      let modules = manager()
      modules.observe(.didBecomeActive, addObserver: observer)
      released = modules
    }
    #expect(released == nil)
    center.post(name: becameActive, object: nil)
  }

  @Test func `a notification that no module handles is not reported before the start`() {
    let modules = manager()
    modules.observe(.didBecomeActive, addObserver: observer)
    center.post(name: becameActive, object: nil)
    #expect(problems.diagnostics.isEmpty)
  }
}
