import Foundation
import Testing

@testable import AppHost

struct SceneManifestTests {
  private func choice(_ configurations: [String: Any]?, _ role: AppScene.Role = .application) -> SceneManifest.Choice {
    let manifest = configurations.map { ["UISceneConfigurations": $0] } ?? [:]
    return SceneManifest(["UIApplicationSceneManifest": manifest]).configuration(for: role)
  }

  private let window = "UIWindowSceneSessionRoleApplication"

  @Test func `without a class in the manifest, windows have this package's delegate`() {
    #expect(SceneManifest(nil).configuration(for: .application) == .moduleSceneDelegate(mainStoryboard: nil))
    #expect(SceneManifest([:]).configuration(for: .application) == .moduleSceneDelegate(mainStoryboard: nil))
    #expect(choice(nil) == .moduleSceneDelegate(mainStoryboard: nil))
    #expect(choice([:]) == .moduleSceneDelegate(mainStoryboard: nil))
    #expect(choice([window: [["UISceneConfigurationName": "Main"]]]) == .moduleSceneDelegate(mainStoryboard: nil))
    #expect(choice([window: [["UISceneDelegateClassName": ""]]]) == .moduleSceneDelegate(mainStoryboard: nil))
    #expect(
      choice(["CPTemplateApplicationSceneSessionRoleApplication": [["UISceneDelegateClassName": "App.Car"]]])
        == .moduleSceneDelegate(mainStoryboard: nil))
  }

  @Test func `a class that the manifest names for the role takes precedence`() {
    #expect(choice([window: [["UISceneDelegateClassName": "App.SceneDelegate"]]]) == .session)
    #expect(choice([window: [[:], ["UISceneDelegateClassName": "App.SceneDelegate"]]]) == .session)
  }

  @Test func `the main storyboard of an app without scenes is loaded in its windows`() {
    let info: [String: Any] = ["UIMainStoryboardFile": "Main"]
    #expect(SceneManifest(info).configuration(for: .application) == .moduleSceneDelegate(mainStoryboard: "Main"))
    #expect(SceneManifest(info).configuration(for: .carPlay) == .session)
  }

  @Test(arguments: [
    AppScene.Role.carPlay, .carPlayDashboard, .carPlayInstrumentCluster, .volume, .immersiveSpace, .externalDisplay,
    AppScene.Role(rawValue: "other"),
  ])
  func `scenes with other roles keep the configuration of their session`(role: AppScene.Role) {
    #expect(SceneManifest(nil).configuration(for: role) == .session)
  }

  // https://developer.apple.com/documentation/uikit/uiscenesession/role
  @Test func `the roles have the names of the systems`() {
    let roles: [AppScene.Role] = [.carPlay, .carPlayDashboard, .carPlayInstrumentCluster, .volume, .immersiveSpace]
    #expect(
      roles.map(\.rawValue) == [
        "CPTemplateApplicationSceneSessionRoleApplication",
        "CPTemplateApplicationDashboardSceneSessionRoleApplication",
        "CPTemplateApplicationInstrumentClusterSceneSessionRoleApplication",
        "UIWindowSceneSessionRoleVolumetricApplication", "UISceneSessionRoleImmersiveSpaceApplication",
      ])
  }
}
