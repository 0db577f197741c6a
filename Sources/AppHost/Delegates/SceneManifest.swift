import Foundation

/// The part of an app's `Info.plist` that configures scenes.
///
/// See `UIApplicationSceneManifest` in Apple's documentation of bundle resources.
package struct SceneManifest {
  /// The configuration that a delegate of the app returns for a scene.
  package enum Choice: Hashable {
    /// The configuration that UIKit read from the `Info.plist`.
    case session
    /// The configuration of the same name, with a delegate of this package, and with the main
    /// storyboard of the app if it names no storyboard.
    case moduleSceneDelegate(mainStoryboard: String?)
  }

  /// The roles that have a delegate class in at least one configuration.
  private let rolesWithDelegate: Set<String>
  /// The name of the storyboard that UIKit loads in an app without scenes.
  private let mainStoryboard: String?

  /// Reads the manifest.
  ///
  /// - Parameter info: The contents of the `Info.plist`.
  package init(_ info: [String: Any]?) {
    mainStoryboard = info?["UIMainStoryboardFile"] as? String
    let manifest = info?["UIApplicationSceneManifest"] as? [String: Any]
    let roles = manifest?["UISceneConfigurations"] as? [String: Any] ?? [:]
    rolesWithDelegate = Set(
      roles.filter { _, value in
        (value as? [[String: Any]] ?? []).contains { ($0["UISceneDelegateClassName"] as? String)?.isEmpty == false }
      }.keys)
  }

  /// Returns the configuration for a scene with a role.
  ///
  /// A class that the manifest names takes precedence. Without one, windows of the app have a
  /// delegate of this package. Scenes with other roles, such as those of CarPlay, need a delegate
  /// with another protocol, or none.
  package func configuration(for role: AppScene.Role) -> Choice {
    guard role == .application, !rolesWithDelegate.contains(role.rawValue) else { return .session }
    return .moduleSceneDelegate(mainStoryboard: mainStoryboard)
  }
}
