#if canImport(UIKit) && !os(watchOS)
public import CloudKit
public import Foundation
public import Lifecycle
public import UIKit

/// A scene delegate that triggers the events of scenes.
///
/// ``ModuleAppDelegate`` uses it for the app's windows. If an app uses neither SwiftUI nor a
/// storyboard, create the window in a subclass, and name the subclass in the scene manifest.
///
/// ```swift
/// final class SceneDelegate: ModuleSceneDelegate {
///   override func scene(
///     _ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions
///   ) {
///     super.scene(scene, willConnectTo: session, options: options)
///     guard let scene = scene as? UIWindowScene else { return }
///     window = UIWindow(windowScene: scene)
///     window?.rootViewController = HomeViewController()
///     window?.makeKeyAndVisible()
///   }
/// }
/// ```
///
/// Like ``ModuleAppDelegate``, it responds to an event's method only if a module needs the event or
/// a subclass overrides the method. An override calls `super` to pass the event to the modules. The
/// delegate derives scene phases and disconnections from notifications, so a subclass that
/// implements `sceneDidBecomeActive(_:)` or a similar method has no `super` to call.
@MainActor open class ModuleSceneDelegate: UIResponder, UIWindowSceneDelegate, MethodAdvertiser {
  /// The manager of the modules.
  ///
  /// Unless a subclass overrides the property, it's the manager of the app's delegate or hooks, or
  /// ``/Lifecycle/ModuleManager/shared`` if the app has neither.
  open var moduleManager: ModuleManager { .ofApp }

  /// The window, which UIKit sets for storyboards.
  open var window: UIWindow?

  /// The objects that receive calls to methods without an event.
  ///
  /// An example is `windowScene(_:didUpdate:interfaceOrientation:traitCollection:)`.
  ///
  /// The first object that has the method receives the call. The delegate retains the objects.
  public var forwardingTargets: [any UIWindowSceneDelegate] = [] {
    didSet { forward(to: forwardingTargets) }
  }

  nonisolated let methods = AdvertisedMethods(.scene)

  /// Creates a delegate.
  public override init() {
    super.init()
    moduleManager.observeScenes()
  }

  /// Returns a Boolean value that indicates whether the delegate has a method and needs it.
  open nonisolated override func responds(to selector: Selector!) -> Bool {
    advertises(selector, hasMethod: super.responds(to: selector), of: ModuleSceneDelegate.self)
  }

  /// Returns the object that receives a method that the delegate does not have.
  open nonisolated override func forwardingTarget(for selector: Selector!) -> Any? {
    methods.target(for: selector) ?? super.forwardingTarget(for: selector)
  }

  open func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
  ) {
    moduleManager.deliver(.sceneWillConnect, SceneConnection(session, connectionOptions), by: .sceneDelegate)
  }

  open func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {
    for context in contexts.inOrder {
      moduleManager.deliver(.openURL, OpenedURL(context, in: AppScene(scene)), by: .sceneDelegate)
    }
  }

  open func scene(_ scene: UIScene, continue userActivity: NSUserActivity) {
    moduleManager.deliver(.continueUserActivity, UserActivity(userActivity, in: AppScene(scene)), by: .sceneDelegate)
  }

  open func scene(_ scene: UIScene, willContinueUserActivityWithType userActivityType: String) {
    moduleManager.trigger(.willContinueUserActivity, UserActivity(type: userActivityType, scene: AppScene(scene)))
  }

  open func scene(
    _ scene: UIScene, didFailToContinueUserActivityWithType userActivityType: String, error: any Error
  ) {
    let failure = UserActivityFailure(type: userActivityType, error: error, scene: AppScene(scene))
    moduleManager.trigger(.didFailToContinueUserActivity, failure)
  }

  open func scene(_ scene: UIScene, didUpdate userActivity: NSUserActivity) {
    moduleManager.trigger(.didUpdateUserActivity, UserActivity(userActivity, in: AppScene(scene)))
  }

  /// Returns an activity with the combined states of all modules, or nil if no module has state.
  open func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? {
    moduleManager.trigger(.sceneSaveState, AppScene(scene))?.systemActivity
  }

  open func scene(_ scene: UIScene, restoreInteractionStateWith stateRestorationActivity: NSUserActivity) {
    moduleManager.trigger(.sceneRestoreState, UserActivity(stateRestorationActivity, in: AppScene(scene)))
  }

  open func windowScene(
    _ windowScene: UIWindowScene, userDidAcceptCloudKitShareWith cloudKitShareMetadata: CKShare.Metadata
  ) {
    let share = CloudKitShare(cloudKitShareMetadata, in: AppScene(windowScene))
    moduleManager.deliver(.userDidAcceptCloudKitShare, share, by: .sceneDelegate)
  }

  #if !os(tvOS)
  open func windowScene(
    _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
    completionHandler: @escaping (Bool) -> Void
  ) {
    let action = QuickAction(shortcutItem, in: AppScene(windowScene))
    moduleManager.deliver(.performQuickAction, action, by: .sceneDelegate) { completionHandler($0) }
  }
  #endif
}

extension Set<UIOpenURLContext> {
  @MainActor var inOrder: [UIOpenURLContext] { sorted { $0.url.absoluteString < $1.url.absoluteString } }
}
#endif
