#if canImport(UIKit) && !os(watchOS)
public import Foundation
public import Lifecycle
public import UIKit

/// A scene delegate that triggers the events of scenes.
///
/// Subclass it, or name it in the app's scene manifest.
///
/// ```swift
/// final class SceneDelegate: ModuleSceneDelegate {}
/// ```
///
/// Like ``ModuleAppDelegate``, it responds only to the methods whose events modules subscribed to
/// and to those that a subclass overrides. An override calls `super` to pass the event on to the
/// modules.
@MainActor open class ModuleSceneDelegate: UIResponder, UIWindowSceneDelegate, ModuleNotifier {
  /// The manager of the modules.
  ///
  /// It is ``/Lifecycle/ModuleManager/shared`` unless a subclass overrides the property.
  open var modules: ModuleManager { .shared }

  /// The window, which UIKit sets for storyboards.
  open var window: UIWindow?

  /// The host that triggers the events.
  public private(set) lazy var host = SystemEventHost(modules)

  private lazy var advertised = AdvertisedMethods(.scene, of: modules)

  /// Returns a Boolean value that indicates whether the delegate has a method and needs it.
  // Nonisolated like NSObject's. UIKit calls it on the main thread. On another thread, the class
  // itself answers.
  open nonisolated override func responds(to selector: Selector!) -> Bool {
    guard let selector, Thread.isMainThread else { return super.responds(to: selector) }
    let isAdvertised = MainActor.assumeIsolated {
      advertised.isAdvertised(NSStringFromSelector(selector)) {
        ObjectiveCMethodTable.isOverridden(selector, by: self, of: ModuleSceneDelegate.self)
      }
    }
    return isAdvertised ?? super.responds(to: selector)
  }

  open func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
  ) {
    host.trigger(.sceneWillConnect, SceneConnection(session, connectionOptions))
  }

  open func sceneDidDisconnect(_ scene: UIScene) { host.trigger(.sceneDidDisconnect, AppScene(scene.session)) }

  open func sceneDidBecomeActive(_ scene: UIScene) { host.trigger(.sceneDidBecomeActive, AppScene(scene.session)) }

  open func sceneWillResignActive(_ scene: UIScene) { host.trigger(.sceneWillResignActive, AppScene(scene.session)) }

  open func sceneWillEnterForeground(_ scene: UIScene) {
    host.trigger(.sceneWillEnterForeground, AppScene(scene.session))
  }

  open func sceneDidEnterBackground(_ scene: UIScene) {
    host.trigger(.sceneDidEnterBackground, AppScene(scene.session))
  }

  open func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
    for url in OpenedURL.all(of: contexts) { host.trigger(.sceneOpenURL, SceneURL(AppScene(scene.session), url)) }
  }

  open func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
    host.trigger(.sceneContinueUserActivity, SceneUserActivity(AppScene(scene.session), UserActivity(userActivity)))
  }

  #if !os(tvOS)
  open func windowScene(
    _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
    completionHandler: @escaping (Bool) -> Void
  ) {
    host.trigger(.performQuickAction, QuickAction(shortcutItem)) { completionHandler($0) }
  }
  #endif
}

extension OpenedURL {
  /// Returns the links of a set in a deterministic order.
  @MainActor static func all(of contexts: Set<UIOpenURLContext>) -> [OpenedURL] {
    contexts.map { OpenedURL($0) }.sorted { $0.url.absoluteString < $1.url.absoluteString }
  }
}
#endif
