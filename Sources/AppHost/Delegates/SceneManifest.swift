/// The part of an app's `Info.plist` that configures scenes.
///
/// See `UIApplicationSceneManifest` in Apple's documentation of bundle resources.
package struct SceneManifest {
  /// The storyboard that UIKit loads in an app without scenes. Windows with this package's delegate
  /// load it if their configuration names no storyboard.
  package let mainStoryboard: String?
  /// True if a configuration for windows names a delegate class.
  private let namesWindowDelegate: Bool

  package init(_ info: [String: Any]?) {
    mainStoryboard = info?["UIMainStoryboardFile"] as? String
    let manifest = info?["UIApplicationSceneManifest"] as? [String: Any]
    let roles = manifest?["UISceneConfigurations"] as? [String: Any]
    let windows = roles?[AppScene.Role.application.rawValue] as? [[String: Any]] ?? []
    namesWindowDelegate = windows.contains { ($0["UISceneDelegateClassName"] as? String)?.isEmpty == false }
  }

  /// Returns true if scenes with the given role get this package's delegate.
  ///
  /// Other scenes keep the configuration that UIKit read from the `Info.plist`. A class that the
  /// manifest names takes precedence, and the delegates of scenes other than windows, such as
  /// CarPlay scenes, adopt other protocols.
  package func hasModuleSceneDelegate(for role: AppScene.Role) -> Bool {
    role == .application && !namesWindowDelegate
  }
}
