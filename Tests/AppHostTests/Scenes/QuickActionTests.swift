import Lifecycle
import Registry
import TestSupport
import TestWaits
import Testing

@testable import AppHost

private final class Searcher: Module {
  static func subscribe(_ events: Subscriptions<Searcher>) {
    events.on(.performQuickAction) { _, action, context in
      context.configuration[.trace].add("\(action.type) \(action.scene?.identifier ?? "-")")
      return true
    }
  }
}

// UIKit passes a quick action that launches an app with scenes only in the options of the scene's
// connection, and one that finds the app running only to windowScene(_:performActionFor:).
// https://developer.apple.com/documentation/uikit/uiscene/connectionoptions/shortcutitem
@Suite(.timeLimit(.minutes(20))) @MainActor struct QuickActionTests {
  private let trace = Trace()
  private let modules: ModuleManager
  /// An action without a link.
  private let action = QuickAction(type: "search", scene: AppScene(identifier: "s1"))

  init() throws {
    modules = ModuleManager(modules: [Searcher.self], configuration: ContextValues { [trace] in $0[.trace] = trace })
    try modules.start()
  }

  @Test(arguments: [LinkQueue.Path.sceneDelegate, .hooks])
  func `a quick action that launches the app is performed once`(path: LinkQueue.Path) async throws {
    let connection = SceneConnection(AppScene(identifier: "s1"), quickAction: action)
    modules.deliver(.sceneWillConnect, connection, by: path)
    try await until("the action is performed") { !trace.lines.isEmpty }
    await modules.waitUntilIdle()
    #expect(trace.lines == ["search s1"])
  }

  @Test func `a quick action that a scene's delegate passes on from its connection is performed once`() async throws {
    final class Item {}
    var answers = 0
    for count in 1...2 {
      let item = Item()
      let action = action.from(item)
      let connection = SceneConnection(AppScene(identifier: "s1"), quickAction: action)
      // A subclass of this package's delegate can call its method before or after that of super.
      if count == 1 { modules.deliver(.sceneWillConnect, connection, by: .sceneDelegate) }
      modules.deliver(.performQuickAction, action, by: .sceneDelegate) { _ in answers += 1 }
      if count == 2 { modules.deliver(.sceneWillConnect, connection, by: .sceneDelegate) }
      try await until("the completion is called") { answers == count }
      await modules.waitUntilIdle()
      #expect(trace.lines.count == count)
    }
  }

  @Test func `the app's own handling of a quick action runs although the connection has reported it`() async {
    final class Item {}
    let item = Item()
    let action = action.from(item)
    modules.deliver(.sceneWillConnect, SceneConnection(AppScene(identifier: "s1"), quickAction: action), by: .hooks)
    var (own, answers) = (0, 0)
    modules.deliver(.performQuickAction, action, by: .hooks, repeated: { own += 1 }) { _ in answers += 1 }
    await modules.waitUntilIdle()
    #expect(own == 1 && answers == 0)
    withExtendedLifetime(item) {}
  }

  @Test func `the system receives the module's outcome of an action that finds the app running`() async throws {
    var outcome: Bool?
    modules.deliver(.performQuickAction, action, by: .sceneDelegate) { outcome = $0 }
    try await until("the completion is called") { outcome != nil }
    #expect(outcome == true)
    #expect(trace.lines == ["search s1"])
  }

  @Test func `a module that performs quick actions needs the method of the connection`() {
    let scene = Advertised(.scene, of: modules)
    #expect(scene.isAdvertised("scene:willConnectToSession:options:", hasMethod: true) { false })
    #expect(!scene.isAdvertised("scene:openURLContexts:", hasMethod: true) { false })
    modules.unregister(Searcher.self)
    #expect(!scene.isAdvertised("scene:willConnectToSession:options:", hasMethod: true) { false })
  }
}
