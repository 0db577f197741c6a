#if canImport(UIKit) && !os(watchOS)
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
/// method that UIKit calls. It responds to a method only if a module subscribed to its event or a
/// subclass overrides it, because UIKit infers background modes from the methods that exist. UIKit
/// queries them when the delegate is set. Call ``updateAdvertisedMethods()`` after opening an image
/// with modules. An override calls `super` to pass the event on to the modules.
@MainActor open class ModuleAppDelegate: UIResponder, UIApplicationDelegate, ModuleNotifier {
  /// The manager of the modules.
  ///
  /// It is ``/Lifecycle/ModuleManager/shared`` unless a subclass overrides the property.
  open var modules: ModuleManager { .shared }

  /// The window, which UIKit sets for storyboards.
  open var window: UIWindow?

  /// The host that triggers the events.
  public private(set) lazy var host = SystemEventHost(modules)

  private lazy var advertised = AdvertisedMethods(
    .application, of: modules, always: ["application:didFinishLaunchingWithOptions:"])
  private var isStarted = false

  /// Starts the modules. Override it in apps with asynchronous phases, which need `run()`.
  ///
  /// - Parameter launch: The value of ``/Lifecycle/Context/launch``.
  /// - Throws: The error to pass to ``modulesFailedToStart(_:)``.
  open func startModules(launch: ContextValues) throws {
    try modules.start(launch: launch)
  }

  /// Reports the error of the start.
  ///
  /// The diagnostic has the code ``Registry/Diagnostic/Code/startFailed``. Override the method to
  /// handle the error in another way.
  open func modulesFailedToStart(_ error: any Error) { modules.report(.startFailed(error)) }

  /// Makes UIKit query the methods again. Call it after opening or closing images with modules.
  public func updateAdvertisedMethods() { UIApplication.running?.resetDelegate() }

  /// Returns a Boolean value that indicates whether the delegate has a method and needs it.
  // Nonisolated like NSObject's. UIKit calls it on the main thread. On another thread, the class
  // itself answers.
  open nonisolated override func responds(to selector: Selector!) -> Bool {
    guard let selector, Thread.isMainThread else { return super.responds(to: selector) }
    let isAdvertised = MainActor.assumeIsolated {
      advertised.isAdvertised(NSStringFromSelector(selector)) {
        ObjectiveCMethodTable.isOverridden(selector, by: self, of: ModuleAppDelegate.self)
      }
    }
    return isAdvertised ?? super.responds(to: selector)
  }

  private func startOnce(_ options: [UIApplication.LaunchOptionsKey: Any]?) {
    guard !isStarted else { return }
    isStarted = true
    do {
      try startModules(launch: ContextValues { $0[.launchOptions] = LaunchOptions(options) })
    } catch {
      modulesFailedToStart(error)
    }
    ModuleNotificationDelegate.installIfWanted(host)
  }

  // MARK: - Launch

  /// Starts the modules.
  open func application(
    _ application: UIApplication,
    willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
  ) -> Bool {
    startOnce(launchOptions)
    return true
  }

  /// Triggers the event of the launch, after starting the modules if needed.
  open func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
  ) -> Bool {
    startOnce(launchOptions)
    return host.trigger(.didFinishLaunching, LaunchOptions(launchOptions))
  }

  // MARK: - Application

  open func applicationDidBecomeActive(_ application: UIApplication) { host.trigger(.didBecomeActive) }

  open func applicationWillResignActive(_ application: UIApplication) { host.trigger(.willResignActive) }

  open func applicationDidEnterBackground(_ application: UIApplication) { host.trigger(.didEnterBackground) }

  open func applicationWillEnterForeground(_ application: UIApplication) { host.trigger(.willEnterForeground) }

  open func applicationWillTerminate(_ application: UIApplication) { host.trigger(.willTerminate) }

  open func applicationDidReceiveMemoryWarning(_ application: UIApplication) { host.trigger(.didReceiveMemoryWarning) }

  open func applicationSignificantTimeChange(_ application: UIApplication) { host.trigger(.significantTimeDidChange) }

  open func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication) {
    host.trigger(.protectedDataDidBecomeAvailable)
  }

  open func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication) {
    host.trigger(.protectedDataWillBecomeUnavailable)
  }

  open func application(
    _ application: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
  ) -> Bool {
    host.trigger(.openURL, OpenedURL(url, options))
  }

  #if !os(tvOS)
  open func application(
    _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
    completionHandler: @escaping (Bool) -> Void
  ) {
    host.trigger(.performQuickAction, QuickAction(shortcutItem)) { completionHandler($0) }
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
      completionHandler($0.result)
    }
  }

  // MARK: - User activity

  open func application(_ application: UIApplication, willContinueUserActivityWithType userActivityType: String) -> Bool
  {
    host.trigger(.willContinueUserActivity, userActivityType)
  }

  open func application(
    _ application: UIApplication, continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
  ) -> Bool {
    host.trigger(.continueUserActivity, UserActivity(userActivity))
  }

  open func application(
    _ application: UIApplication, didFailToContinueUserActivityWithType userActivityType: String, error: any Error
  ) {
    host.trigger(.didFailToContinueUserActivity, UserActivityFailure(type: userActivityType, error: error))
  }

  open func application(_ application: UIApplication, didUpdate userActivity: NSUserActivity) {
    host.trigger(.didUpdateUserActivity, UserActivity(userActivity))
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
