import Lifecycle
import Registry
import TestSupport
import Testing

@testable import AppHost

private let save = "stateRestorationActivityForScene:"
private let restore = "scene:restoreInteractionStateWithUserActivity:"

/// A system that disconnects a scene and connects it again, as UIKit does.
@MainActor private struct SimulatedScene {
  let modules: ModuleManager
  let scene = AppScene(identifier: "s1")

  /// Asks for the state, stores it, and connects the scene with it.
  ///
  /// - Parameter isLocked: A Boolean value that indicates whether the state is encrypted when the
  ///   scene connects.
  func reconnect(isLocked: Bool = false) {
    let advertised = Advertised(.scene, of: modules)
    let state = advertised.isAdvertised(save, hasMethod: true) { false } ? modules.trigger(.sceneSaveState, scene) : nil
    modules.trigger(.sceneDidDisconnect, scene)
    modules.deliver(.sceneWillConnect, SceneConnection(scene, savedState: isLocked ? nil : state), by: .sceneDelegate)
    let restores = advertised.isAdvertised(restore, hasMethod: true) { false }
    if restores, var state {
      state.scene = scene
      modules.trigger(.sceneRestoreState, state)
    }
  }
}

@MainActor struct StateRestorationTests {
  private let modules = ModuleManager()
  private let scene: SimulatedScene

  init() throws {
    try modules.start()
    scene = SimulatedScene(modules: modules)
  }

  @Test func `a scene that connects again has the state of all modules`() {
    var states: [UserActivity?] = []
    modules.on(.sceneSaveState) { _, _ in UserActivity(type: "shop", userInfo: ["tab": 2]) }
    modules.on(.sceneSaveState) { scene, _ in UserActivity(type: "shop", userInfo: ["cart": .string(scene.identifier)])
    }
    modules.on(.sceneSaveState) { _, _ in nil }
    modules.on(.sceneWillConnect) { connection, _ in states.append(connection.savedState) }
    scene.reconnect()
    #expect(states == [UserActivity(type: "shop", userInfo: ["tab": 2, "cart": "s1"])])
  }

  @Test func `a locked device provides the state later`() {
    var lines: [String] = []
    modules.on(.sceneSaveState) { _, _ in UserActivity(type: "shop") }
    modules.on(.sceneWillConnect) { connection, _ in lines.append("connects with \(connection.savedState?.type ?? "-")")
    }
    modules.on(.sceneRestoreState) { state, _ in
      lines.append("restores \(state.type) of \(state.scene?.identifier ?? "-")")
    }
    scene.reconnect(isLocked: true)
    #expect(lines == ["connects with -", "restores shop of s1"])
  }

  @Test func `a scene delegate saves no state if no module has any`() {
    let advertised = Advertised(.scene, of: modules)
    for selector in [save, restore] { #expect(!advertised.isAdvertised(selector, hasMethod: true) { false }) }
    modules.on(.sceneSaveState) { _, _ in nil }
    #expect(advertised.isAdvertised(save, hasMethod: true) { false })
    #expect(!advertised.isAdvertised(restore, hasMethod: true) { false })
    modules.on(.sceneRestoreState) { _, _ in }
    #expect(advertised.isAdvertised(restore, hasMethod: true) { false })
  }

  @Test func `the activity of an app's own delegate keeps its type and its object, and modules add to it`() throws {
    final class Object {}
    let object = Object()
    var own = UserActivity(type: "own", title: "Own", userInfo: ["id": 1])
    own.object = SystemObject(object)
    let given = own
    modules.on(.sceneSaveState) { _, _ in UserActivity(type: "shop", userInfo: ["id": 2, "tab": 3]) }
    modules.on(.sceneSaveState, .afterApp) { _, _ in UserActivity(type: "late", userInfo: ["late": true]) }
    // As in the hooks.
    let state = try #require(modules.trigger(.sceneSaveState, scene.scene) { _ in given })
    #expect(state == UserActivity(type: "own", title: "Own", userInfo: ["id": 1, "tab": 3, "late": true]))
    #expect(state.systemObject === object)
  }

  @Test func `of two activities with an object, the first takes precedence`() {
    final class Object {}
    let objects = [Object(), Object()]
    for (index, object) in objects.enumerated() {
      let info: [String: PropertyValue] = ["id": .integer(Int64(index)), "\(index)": true]
      let activity = UserActivity(type: "\(index)", userInfo: info).from(object)
      modules.on(.sceneSaveState) { _, _ in activity }
    }
    let state = modules.trigger(.sceneSaveState, scene.scene)
    #expect(state?.type == "0" && state?.systemObject === objects[0])
    #expect(state?.userInfo == ["id": 0, "0": true, "1": true])
  }

  @Test func `a module in Objective-C saves and restores state`() throws {
    let (log, modules) = (LegacyLog(), ModuleManager())
    let legacy = log.legacy(["modSceneSaveState:", "modSceneRestoreState:"]) { selector, call in
      if selector == "modSceneSaveState:" { call.give(Optional(UserActivity(type: "shop", userInfo: ["tab": 2]))) }
    }
    SimulatedObjectiveC(legacy: legacy).run { _ = modules.register(named: "LegacyModule") }
    try modules.start()
    SimulatedScene(modules: modules).reconnect()
    let call = try #require(log.calls.last)
    #expect(call.selector == "modSceneRestoreState:" && call.contents.userInfo == ["tab": 2])
    #expect(call.contents.activityType == "shop" && call.contents.scene?.identifier == "s1")
  }
}
