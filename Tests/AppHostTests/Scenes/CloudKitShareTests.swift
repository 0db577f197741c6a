import Lifecycle
import Registry
import TestSupport
import Testing

@testable import AppHost

private final class ShareReader: Module {
  static func subscribe(_ events: Subscriptions<ShareReader>) {
    events.on(.sceneWillConnect) { _, _, context in context.configuration[.trace].add("connect") }
    events.on(.userDidAcceptCloudKitShare) { _, share, context in
      context.configuration[.trace].add("\(share.containerIdentifier) \(share.scene?.identifier ?? "-")")
    }
  }
}

// According to Apple's documentation of CKShare.Metadata, the connection options contain the
// metadata if the invitation launches an app with scenes, and the scene's delegate receives it if
// the app is running.
// https://developer.apple.com/documentation/cloudkit/ckshare/metadata
@MainActor struct CloudKitShareTests {
  private let scene = AppScene(identifier: "s1")
  private let connecting = "scene:willConnectToSession:options:"

  @Test(arguments: [LinkQueue.Path.sceneDelegate, .hooks])
  func `an invitation that launches the app is an event, after the connection`(path: LinkQueue.Path) throws {
    let trace = Trace()
    let modules = ModuleManager(modules: [ShareReader.self], configuration: ContextValues { $0[.trace] = trace })
    try modules.start()
    let connection = SceneConnection(
      scene, cloudKitShare: CloudKitShare(containerIdentifier: "iCloud.shop", scene: scene))
    modules.deliver(.sceneWillConnect, connection, by: path)
    #expect(trace.lines == ["connect", "iCloud.shop s1"])
    modules.deliver(.sceneWillConnect, SceneConnection(scene), by: .sceneDelegate)
    #expect(trace.lines == ["connect", "iCloud.shop s1", "connect"])
  }

  @Test(arguments: [LinkQueue.Path.sceneDelegate, .hooks])
  func `an invitation that a scene's delegate passes on from its connection is one event`(
    path: LinkQueue.Path
  ) throws {
    final class Metadata {}
    let trace = Trace()
    let modules = ModuleManager(modules: [ShareReader.self], configuration: ContextValues { $0[.trace] = trace })
    try modules.start()
    var own = 0
    for _ in 1...2 {
      let metadata = Metadata()
      var share = CloudKitShare(containerIdentifier: "iCloud.shop", scene: scene)
      share.object = SystemObject(metadata)
      modules.deliver(.sceneWillConnect, SceneConnection(scene, cloudKitShare: share), by: path)
      modules.deliver(.userDidAcceptCloudKitShare, share, by: path) { own += 1 }
    }
    #expect(trace.lines == ["connect", "iCloud.shop s1", "connect", "iCloud.shop s1"])
    #expect(own == 2, "the app's own handling runs in any case")
  }

  @Test func `a module that receives invitations needs the method of the connection`() {
    let modules = ModuleManager()
    let advertised = Advertised(.scene, of: modules)
    #expect(!advertised.isAdvertised(connecting, hasMethod: true) { false })
    modules.on(.userDidAcceptCloudKitShare) { _, _ in }
    #expect(advertised.isAdvertised(connecting, hasMethod: true) { false })
    #expect(!advertised.isAdvertised("scene:openURLContexts:", hasMethod: true) { false })
  }

  @Test func `the payload contains the object of the system`() {
    final class Metadata {}
    let metadata = Metadata()
    var share = CloudKitShare(containerIdentifier: "iCloud.shop")
    #expect(share.systemObject == nil)
    share.object = SystemObject(metadata)
    #expect(share.systemObject === metadata)
  }
}
