#if canImport(UIKit) && !os(watchOS)
public import CloudKit
public import Foundation
public import Lifecycle
internal import Registry
public import UIKit

/// An app delegate that triggers the events of UIKit.
///
/// Subclass it, or use it as it is.
///
/// ```swift
/// @main final class AppDelegate: ModuleAppDelegate {}
///
/// @UIApplicationDelegateAdaptor(ModuleAppDelegate.self) var appDelegate   // in a SwiftUI app
/// ```
///
/// The delegate starts the modules in `application(_:willFinishLaunchingWithOptions:)`, the first
/// method that UIKit calls. It gives windows a ``ModuleSceneDelegate``, and derives the events of
/// the app's state from notifications, because UIKit does not call the delegate's methods for them
/// in an app with scenes. It responds to a method only if a module subscribed to its event or a
/// subclass overrides it, because UIKit infers background modes from the methods that exist. UIKit
/// queries them when the delegate is set. Call ``updateAdvertisedMethods()`` after opening an image
/// with modules. An override calls `super` to pass the event on to the modules.
@MainActor open class ModuleAppDelegate: UIResponder, UIApplicationDelegate, MethodAdvertiser {
  /// The manager of the modules.
  ///
  /// It is ``/Lifecycle/ModuleManager/shared`` unless a subclass overrides the property.
  open var modules: ModuleManager { .shared }

  /// The window, which UIKit sets for storyboards.
  open var window: UIWindow?

  /// The host that triggers the events.
  public private(set) lazy var host = SystemEventHost(modules)

  /// The objects that receive calls of methods for which there is no event.
  ///
  /// An example is `application(_:shouldAllowExtensionPointIdentifier:)`.
  ///
  /// The first object that has the method receives the call. The delegate retains the objects.
  public var forwardingTargets: [any UIApplicationDelegate] = [] {
    didSet {
      forwarded.forward(to: forwardingTargets)
      updateAdvertisedMethods()
    }
  }

  nonisolated let forwarded = ForwardedMethods(.application, of: (any UIApplicationDelegate).self)

  lazy var advertised = AdvertisedMethods(
    .application, of: modules, always: ["application:didFinishLaunchingWithOptions:"], observesNotifications: true)

  /// Starts the modules, whose asynchronous phases continue in the background.
  ///
  /// Modules receive events when the method returns. If an asynchronous phase fails later, the
  /// modules are stopped, and ``modulesFailedToStart(_:)`` receives the error.
  ///
  /// - Parameter launch: The value of ``/Lifecycle/Context/launch``.
  /// - Throws: The error to pass to ``modulesFailedToStart(_:)``.
  open func startModules(launch: ContextValues) throws {
    try modules.runInBackground(launch: launch) { [weak self] error in self?.modulesFailedToStart(error) }
  }

  /// Reports the error of the start, or the failure of an asynchronous phase.
  ///
  /// The diagnostic has the code ``Registry/Diagnostic/Code/startFailed``. Override the method to
  /// handle the error in another way.
  open func modulesFailedToStart(_ error: any Error) { modules.report(.startFailed(error)) }

  /// Makes the system query the methods of all delegates again.
  ///
  /// The delegates are those of the app, of its scenes, and of the notification center. Call it
  /// after opening or closing images with modules.
  public func updateAdvertisedMethods() { SystemDelegates().refreshDelegates(host) }

  /// Returns a Boolean value that indicates whether the delegate has a method and needs it.
  open nonisolated override func responds(to selector: Selector!) -> Bool {
    advertises(selector, hasMethod: super.responds(to: selector), of: ModuleAppDelegate.self)
  }

  /// Returns the object that receives a method that the delegate does not have.
  open nonisolated override func forwardingTarget(for selector: Selector!) -> Any? {
    forwarded.target(for: selector) ?? super.forwardingTarget(for: selector)
  }

  private func startOnce(_ options: LaunchOptions) {
    host.observeApplication()
    host.startForDelegate(options, SystemDelegates(), startModules, onFailure: modulesFailedToStart)
  }

  // MARK: - Launch

  /// Starts the modules.
  open func application(
    _ application: UIApplication,
    willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
  ) -> Bool {
    startOnce(LaunchOptions(launchOptions))
    return true
  }

  /// Triggers the event of the launch, after starting the modules if needed.
  open func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
  ) -> Bool {
    let options = LaunchOptions(launchOptions)
    startOnce(options)
    return host.trigger(.didFinishLaunching, options)
  }

  // MARK: - Scenes

  /// Returns the configuration of a scene.
  ///
  /// It is the session's own configuration if the scene manifest in the `Info.plist` names a
  /// delegate class for windows, or if the scene is not a window of the app. Otherwise, the
  /// delegate class is ``ModuleSceneDelegate``. The storyboard is the one that the manifest names,
  /// or the main storyboard of the app (`UIMainStoryboardFile`).
  open func application(
    _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
    options: UIScene.ConnectionOptions
  ) -> UISceneConfiguration {
    let manifest = SceneManifest(Bundle.main.infoDictionary)
    let own = connectingSceneSession.configuration
    switch manifest.configuration(for: AppScene(connectingSceneSession).role) {
    case .session: return own
    case .moduleSceneDelegate(let mainStoryboard):
      let configuration = UISceneConfiguration(name: own.name, sessionRole: connectingSceneSession.role)
      configuration.sceneClass = own.sceneClass
      // Do not name the type of the storyboard, which is deprecated on visionOS.
      configuration.storyboard = own.storyboard ?? mainStoryboard.map { .init(name: $0, bundle: nil) }
      configuration.delegateClass = ModuleSceneDelegate.self
      return configuration
    }
  }

  /// Triggers an event for each scene.
  open func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>) {
    for scene in AppScene.inOrder(sceneSessions.map { AppScene($0) }) { host.trigger(.sceneWasDiscarded, scene) }
  }

  // MARK: - Application

  open func application(
    _ application: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
  ) -> Bool {
    host.deliver(.openURL, OpenedURL(url, options), by: .appDelegate)
  }

  #if !os(tvOS)
  open func application(
    _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
    completionHandler: @escaping (Bool) -> Void
  ) {
    host.deliver(.performQuickAction, QuickAction(shortcutItem), by: .appDelegate) { completionHandler($0) }
  }
  #endif

  // MARK: - Notifications

  open func application(
    _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
  ) {
    host.trigger(.didRegisterForRemoteNotifications, deviceToken)
  }

  open func application(
    _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
  ) {
    host.trigger(.didFailToRegisterForRemoteNotifications, error)
  }

  open func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
    fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
  ) {
    host.trigger(
      .didReceiveRemoteNotification, RemoteNotification(userInfo: [String: PropertyValue](userInfo: userInfo))
    ) {
      completionHandler(UIBackgroundFetchResult(rawValue: $0.systemValue) ?? .noData)
    }
  }

  // MARK: - User activity

  open func application(_ application: UIApplication, willContinueUserActivityWithType userActivityType: String) -> Bool
  {
    host.trigger(.willContinueUserActivity, userActivityType)
  }

  /// Triggers the event of an activity.
  ///
  /// The handler is called once, with the objects that modules supplied
  /// (`UserActivity.restore(with:)`), or not at all if they supplied none.
  open func application(
    _ application: UIApplication, continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
  ) -> Bool {
    let restoration = ActivityRestoration { restorationHandler($0.compactMap { $0 as? any UIUserActivityRestoring }) }
    return host.deliver(.continueUserActivity, UserActivity(userActivity, restoration), by: .appDelegate)
  }

  open func application(
    _ application: UIApplication, didFailToContinueUserActivityWithType userActivityType: String, error: any Error
  ) {
    host.trigger(.didFailToContinueUserActivity, UserActivityFailure(type: userActivityType, error: error))
  }

  open func application(_ application: UIApplication, didUpdate userActivity: NSUserActivity) {
    host.trigger(.didUpdateUserActivity, UserActivity(userActivity))
  }

  open func application(
    _ application: UIApplication, userDidAcceptCloudKitShareWith cloudKitShareMetadata: CKShare.Metadata
  ) {
    host.deliver(.userDidAcceptCloudKitShare, CloudKitShare(cloudKitShareMetadata), by: .appDelegate)
  }

  // MARK: - Background

  open func application(
    _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void
  ) {
    host.trigger(.handleBackgroundURLSession, identifier) { _ in completionHandler() }
  }

  open func application(
    _ application: UIApplication, handleWatchKitExtensionRequest userInfo: [AnyHashable: Any]?,
    reply: @escaping ([AnyHashable: Any]?) -> Void
  ) {
    host.trigger(.handleWatchKitRequest, userInfo.map { [String: PropertyValue](userInfo: $0) }) {
      reply($0?.mapValues(\.object))
    }
  }
}

extension UIApplication {
  /// The running app, or nil before it runs and in an app extension.
  ///
  /// `UIApplication.shared` must not be used in these cases.
  static var running: UIApplication? {
    let selector = NSSelectorFromString("sharedApplication")
    guard UIApplication.responds(to: selector) else { return nil }
    return UIApplication.perform(selector)?.takeUnretainedValue() as? UIApplication
  }

  /// The delegate that was set last.
  ///
  /// UIKit releases the delegate that it created when the app sets another one or nil, and it does
  /// not retain the next one.
  private static var keptDelegate: (any UIApplicationDelegate)?

  /// Sets the delegate again, so that UIKit queries its methods again.
  func resetDelegate() {
    guard let current = delegate else { return }
    Self.keptDelegate = current
    delegate = nil
    delegate = current
  }
}
#endif
