import Foundation
import Testing

@testable import AppHost

struct SceneManifestTests {
  private func hasOurs(_ configurations: [String: Any]?) -> Bool {
    let manifest = configurations.map { ["UISceneConfigurations": $0] } ?? [:]
    return SceneManifest(["UIApplicationSceneManifest": manifest]).hasModuleSceneDelegate(for: .application)
  }

  private let window = "UIWindowSceneSessionRoleApplication"

  @Test func `without a class in the manifest, windows have this package's delegate`() {
    #expect(SceneManifest(nil).hasModuleSceneDelegate(for: .application))
    #expect(SceneManifest([:]).hasModuleSceneDelegate(for: .application))
    #expect(hasOurs(nil) && hasOurs([:]))
    #expect(hasOurs([window: [["UISceneConfigurationName": "Main"]]]))
    #expect(hasOurs([window: [["UISceneDelegateClassName": ""]]]))
    #expect(hasOurs(["CPTemplateApplicationSceneSessionRoleApplication": [["UISceneDelegateClassName": "App.Car"]]]))
  }

  @Test func `a class that the manifest names for the role takes precedence`() {
    #expect(!hasOurs([window: [["UISceneDelegateClassName": "App.SceneDelegate"]]]))
    #expect(!hasOurs([window: [[:], ["UISceneDelegateClassName": "App.SceneDelegate"]]]))
  }

  @Test func `the main storyboard of an app without scenes is loaded in its windows`() {
    let manifest = SceneManifest(["UIMainStoryboardFile": "Main"])
    #expect(manifest.hasModuleSceneDelegate(for: .application) && manifest.mainStoryboard == "Main")
    #expect(SceneManifest(nil).mainStoryboard == nil && SceneManifest([:]).mainStoryboard == nil)
  }

  @Test func `scenes with other roles keep the configuration of their session`() {
    let role = AppScene.Role(rawValue: "CPTemplateApplicationSceneSessionRoleApplication")
    #expect(!SceneManifest(nil).hasModuleSceneDelegate(for: role))
  }
}
