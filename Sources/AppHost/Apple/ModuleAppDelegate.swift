#if canImport(UIKit) || canImport(AppKit)
public import CloudKit
public import Foundation
public import Lifecycle
internal import Registry
#if os(watchOS)
public import WatchKit

// The aliases are public because an open class's declaration and methods name them.
public typealias __AppDelegateSuperclass = NSObject
public typealias __AppDelegateProtocol = WKApplicationDelegate
private let role = DelegateMethod.Role.watchApplication
#elseif canImport(UIKit)
public import UIKit

public typealias __AppDelegateSuperclass = UIResponder
public typealias __AppDelegateProtocol = UIApplicationDelegate
public typealias __Application = UIApplication
public typealias __ActivityRestoring = UIUserActivityRestoring
public typealias __RestorationHandler = ([any __ActivityRestoring]?) -> Void
private let role = DelegateMethod.Role.application
#else
public import AppKit

public typealias __AppDelegateSuperclass = NSObject
public typealias __AppDelegateProtocol = NSApplicationDelegate
public typealias __Application = NSApplication
public typealias __ActivityRestoring = NSUserActivityRestoring
public typealias __RestorationHandler = ([any __ActivityRestoring]) -> Void
private let role = DelegateMethod.Role.desktopApplication
#endif

/// An app delegate that triggers the events of UIKit, AppKit, or WatchKit.
///
/// Subclass it, or use it as is.
///
/// ```swift
/// @main final class AppDelegate: ModuleAppDelegate {}
///
/// @UIApplicationDelegateAdaptor(ModuleAppDelegate.self) var appDelegate   // in a SwiftUI app
/// ```
///
/// The delegate starts the modules in the first method that the system calls, unless a view or the
/// app already started them. Like hooks and views, it derives app state events from notifications,
/// because UIKit doesn't call the corresponding delegate methods in an app with scenes. In UIKit,
/// new windows get a `ModuleSceneDelegate`, unless the `Info.plist` names a class for windows.
///
/// Except for launches, the delegate responds to an event's method only if a module needs the event
/// or a subclass overrides the method, because UIKit infers background modes from the methods.
/// Systems query the methods when the delegate is set, so call the manager's `updateDelegates()`
/// after opening an image with modules. An override calls `super` to pass the event to the modules.
@MainActor open class ModuleAppDelegate: __AppDelegateSuperclass, __AppDelegateProtocol, MethodAdvertiser {
  /// The manager of the modules.
  ///
  /// It's ``/Lifecycle/ModuleManager/shared``, unless a subclass overrides the property. An
  /// override must always return the same manager.
  open var moduleManager: ModuleManager { .shared }

  /// The objects that receive calls to methods that this class lacks and that have no event.
  ///
  /// Examples are UIKit's `application(_:shouldAllowExtensionPointIdentifier:)`, AppKit's
  /// `applicationShouldTerminate(_:)`, and WatchKit's `handleUserActivity(_:)`.
  ///
  /// The first object that has the method receives the call. The delegate retains the objects.
  public var forwardingTargets: [any __AppDelegateProtocol] = [] {
    didSet { forward(to: forwardingTargets) }
  }

  nonisolated let methods = AdvertisedMethods(role)

  /// Starts the modules, whose asynchronous phases continue in the background.
  ///
  /// Modules receive events after the method returns. If an asynchronous phase fails later, the
  /// modules are stopped, and ``modulesFailedToStart(_:)`` receives the error.
  ///
  /// - Parameter launch: The value of ``/Lifecycle/Context/launch``.
  /// - Throws: The error to pass to ``modulesFailedToStart(_:)``.
  open func startModules(launch: ContextValues) throws {
    try moduleManager.runInBackground(launch: launch) { [weak self] error in self?.modulesFailedToStart(error) }
  }

  /// Reports that the start or an asynchronous phase failed.
  ///
  /// The diagnostic has the code `start-failed`. Override the method to handle the error
  /// differently.
  open func modulesFailedToStart(_ error: any Error) { moduleManager.report(.startFailed(error)) }

  /// Returns a Boolean value that indicates whether the delegate has a method and needs it.
  open nonisolated override func responds(to selector: Selector!) -> Bool {
    advertises(selector, hasMethod: super.responds(to: selector), of: ModuleAppDelegate.self)
  }

  /// Returns the object that receives a method that the delegate does not have.
  open nonisolated override func forwardingTarget(for selector: Selector!) -> Any? {
    methods.target(for: selector) ?? super.forwardingTarget(for: selector)
  }

  private func startOnce(_ options: LaunchOptions) {
    moduleManager.observeApplication()
    moduleManager.startForDelegate(options, SystemDelegates(), startModules, onFailure: modulesFailedToStart)
  }

  @discardableResult private func launch(_ options: LaunchOptions) -> Bool {
    startOnce(options)
    return moduleManager.trigger(.didFinishLaunching, options)
  }

  #if os(watchOS)
  // MARK: - Life cycle

  /// Starts the modules, and triggers the launch event.
  open func applicationDidFinishLaunching() { launch(LaunchOptions()) }

  // MARK: - Notifications

  open func didRegisterForRemoteNotifications(withDeviceToken deviceToken: Data) {
    moduleManager.trigger(.didRegisterForRemoteNotifications, deviceToken)
  }

  open func didFailToRegisterForRemoteNotificationsWithError(_ error: any Error) {
    moduleManager.trigger(.didFailToRegisterForRemoteNotifications, error)
  }

  open func didReceiveRemoteNotification(
    _ userInfo: [AnyHashable: Any],
    fetchCompletionHandler completionHandler: @escaping (WKBackgroundFetchResult) -> Void
  ) {
    moduleManager.deliver(.didReceiveRemoteNotification, RemoteNotification(userInfo), by: .appDelegate) {
      completionHandler(WKBackgroundFetchResult(rawValue: $0.systemValue) ?? .noData)
    }
  }

  // MARK: - User activity

  open func handle(_ userActivity: NSUserActivity) {
    moduleManager.deliver(.continueUserActivity, UserActivity(userActivity), by: .appDelegate)
  }

  open func userDidAcceptCloudKitShare(with cloudKitShareMetadata: CKShare.Metadata) {
    moduleManager.deliver(.userDidAcceptCloudKitShare, CloudKitShare(cloudKitShareMetadata), by: .appDelegate)
  }

  // MARK: - Background

  /// Triggers an event for each task of a background session, and completes every task.
  ///
  /// Modules receive the identifiers of background sessions. An override completes the tasks that
  /// it handles, and passes all other tasks to `super`, which completes each of them.
  open func handle(_ backgroundTasks: Set<WKRefreshBackgroundTask>) {
    moduleManager.handle(Array(backgroundTasks))
  }
  #elseif canImport(UIKit)
  /// The window, which UIKit sets for storyboards.
  open var window: UIWindow?

  // MARK: - Launch

  /// Starts the modules.
  open func application(
    _ application: UIApplication,
    willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
  ) -> Bool {
    startOnce(LaunchOptions(launchOptions))
    return true
  }

  /// Triggers the launch event, after starting the modules if needed.
  open func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
  ) -> Bool {
    launch(LaunchOptions(launchOptions))
  }

  // MARK: - Scenes

  /// Returns the configuration of a new scene.
  ///
  /// It's the session's own configuration if the scene is not a window of the app, or if the scene
  /// manifest in the `Info.plist` names a delegate class for windows. Otherwise, the delegate class
  /// is ``ModuleSceneDelegate``, and the storyboard comes from the manifest or is the app's main
  /// storyboard (`UIMainStoryboardFile`).
  open func application(
    _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
    options: UIScene.ConnectionOptions
  ) -> UISceneConfiguration {
    let manifest = SceneManifest(Bundle.main.infoDictionary)
    let own = connectingSceneSession.configuration
    guard manifest.hasModuleSceneDelegate(for: AppScene(connectingSceneSession).role) else { return own }
    let configuration = UISceneConfiguration(name: own.name, sessionRole: connectingSceneSession.role)
    configuration.sceneClass = own.sceneClass
    // Don't name the storyboard's type, which is deprecated on visionOS.
    configuration.storyboard = own.storyboard ?? manifest.mainStoryboard.map { .init(name: $0, bundle: nil) }
    configuration.delegateClass = ModuleSceneDelegate.self
    return configuration
  }

  /// Triggers an event for each scene.
  open func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>) {
    for scene in AppScene.inOrder(sceneSessions.map { AppScene($0) }) {
      moduleManager.trigger(.sceneWasDiscarded, scene)
    }
  }

  // MARK: - Application

  open func application(
    _ application: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
  ) -> Bool {
    moduleManager.deliver(.openURL, OpenedURL(url, options), by: .appDelegate)
  }

  #if !os(tvOS)
  open func application(
    _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
    completionHandler: @escaping (Bool) -> Void
  ) {
    moduleManager.deliver(.performQuickAction, QuickAction(shortcutItem), by: .appDelegate) { completionHandler($0) }
  }
  #endif

  // MARK: - Notifications

  open func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
    fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
  ) {
    moduleManager.deliver(.didReceiveRemoteNotification, RemoteNotification(userInfo), by: .appDelegate) {
      completionHandler(UIBackgroundFetchResult(rawValue: $0.systemValue) ?? .noData)
    }
  }

  // MARK: - Background

  open func application(
    _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void
  ) {
    moduleManager.deliver(.handleBackgroundURLSession, identifier, by: .appDelegate) { _ in completionHandler() }
  }
  #else
  /// Starts the modules.
  open func applicationWillFinishLaunching(_ notification: Notification) {
    startOnce(LaunchOptions(notification.userInfo))
  }

  /// Triggers the launch event, after starting the modules if needed.
  open func applicationDidFinishLaunching(_ notification: Notification) {
    launch(LaunchOptions(notification.userInfo))
  }

  /// Triggers an event for each link.
  open func application(_ application: NSApplication, open urls: [URL]) {
    for url in urls { moduleManager.deliver(.openURL, OpenedURL(desktop: url), by: .appDelegate) }
  }

  /// Triggers the event of a remote notification. AppKit ignores the outcome.
  open func application(_ application: NSApplication, didReceiveRemoteNotification userInfo: [String: Any]) {
    moduleManager.deliver(.didReceiveRemoteNotification, RemoteNotification(userInfo), by: .appDelegate) { _ in }
  }
  #endif

  #if !os(watchOS)
  // MARK: - UIKit and AppKit

  open func application(
    _ application: __Application, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
  ) {
    moduleManager.trigger(.didRegisterForRemoteNotifications, deviceToken)
  }

  open func application(
    _ application: __Application, didFailToRegisterForRemoteNotificationsWithError error: any Error
  ) {
    moduleManager.trigger(.didFailToRegisterForRemoteNotifications, error)
  }

  open func application(_ application: __Application, willContinueUserActivityWithType userActivityType: String) -> Bool
  {
    moduleManager.trigger(.willContinueUserActivity, UserActivity(type: userActivityType))
  }

  /// Triggers the event of an activity.
  ///
  /// The handler is called at most once: with the objects that modules supply during the event
  /// (`UserActivity.restore(with:)`), or otherwise with the first objects that they supply later.
  open func application(
    _ application: __Application, continue userActivity: NSUserActivity,
    restorationHandler: @escaping __RestorationHandler
  ) -> Bool {
    let restoration = ActivityRestoration { restorationHandler($0.compactMap { $0 as? any __ActivityRestoring }) }
    return moduleManager.deliver(.continueUserActivity, UserActivity(userActivity, restoration), by: .appDelegate)
  }

  open func application(
    _ application: __Application, didFailToContinueUserActivityWithType userActivityType: String, error: any Error
  ) {
    moduleManager.trigger(.didFailToContinueUserActivity, UserActivityFailure(type: userActivityType, error: error))
  }

  open func application(_ application: __Application, didUpdate userActivity: NSUserActivity) {
    moduleManager.trigger(.didUpdateUserActivity, UserActivity(userActivity))
  }

  open func application(
    _ application: __Application, userDidAcceptCloudKitShareWith cloudKitShareMetadata: CKShare.Metadata
  ) {
    moduleManager.deliver(.userDidAcceptCloudKitShare, CloudKitShare(cloudKitShareMetadata), by: .appDelegate)
  }
  #endif
}

#if !os(watchOS)
extension UserActivity {
  /// Lets objects of the app show the activity.
  ///
  /// The objects conform to `UIUserActivityRestoring` or `NSUserActivityRestoring`, and UIKit or
  /// AppKit calls `restoreUserActivityState(_:)` on each. Call the method in a handler of
  /// `Event.continueUserActivity`. When the handlers have returned, the system's restoration
  /// handler receives the objects of all modules in one call. If you call the method later, or for
  /// a scene's activity, which has no restoration handler, the method can call
  /// `restoreUserActivityState(_:)` itself.
  @MainActor public func restore(with objects: [any __ActivityRestoring]) {
    restore(objects) { Self.restore($0, systemObject as? NSUserActivity) }
  }

  /// Restores the state of an object without the system's restoration handler.
  @MainActor static func restore(_ object: AnyObject, _ activity: NSUserActivity?) {
    guard let object = object as? any __ActivityRestoring, let activity else { return }
    object.restoreUserActivityState(activity)
  }
}
#endif
#endif
