#if canImport(AppKit) && !canImport(UIKit)
public import AppKit
public import Foundation
public import Lifecycle
import Registry

/// An app delegate that triggers the events of AppKit.
///
/// Subclass it, or use it as it is.
///
/// ```swift
/// @main final class AppDelegate: ModuleAppDelegate {}
///
/// @NSApplicationDelegateAdaptor(ModuleAppDelegate.self) var appDelegate   // in a SwiftUI app
/// ```
///
/// The delegate starts the modules in `applicationWillFinishLaunching(_:)`. It responds to a method
/// only if a module subscribed to its event or a subclass overrides it. An override calls `super`
/// to pass the event on to the modules.
@MainActor open class ModuleAppDelegate: NSObject, NSApplicationDelegate, ModuleNotifier {
  /// The manager of the modules.
  ///
  /// It is ``/Lifecycle/ModuleManager/shared`` unless a subclass overrides the property.
  open var modules: ModuleManager { .shared }

  /// The host that triggers the events.
  public private(set) lazy var host = SystemEventHost(modules)

  private lazy var advertised = AdvertisedMethods(
    .desktopApplication, of: modules, always: ["applicationDidFinishLaunching:"])
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

  /// Makes AppKit query the methods again. Call it after opening or closing images with modules.
  public func updateAdvertisedMethods() { NSApp?.resetDelegate() }

  /// Returns a Boolean value that indicates whether the delegate has a method and needs it.
  // Nonisolated like NSObject's. AppKit calls it on the main thread. On another thread, the class
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

  private func startOnce() {
    guard !isStarted else { return }
    isStarted = true
    do {
      try startModules(launch: ContextValues { $0[.launchOptions] = LaunchOptions() })
    } catch {
      modulesFailedToStart(error)
    }
    ModuleNotificationDelegate.installIfWanted(host)
  }

  /// Starts the modules.
  open func applicationWillFinishLaunching(_ notification: Notification) { startOnce() }

  /// Triggers the event of the launch, after starting the modules if needed.
  open func applicationDidFinishLaunching(_ notification: Notification) {
    startOnce()
    host.trigger(.didFinishLaunching, LaunchOptions())
  }

  open func applicationDidBecomeActive(_ notification: Notification) { host.trigger(.didBecomeActive) }

  open func applicationWillResignActive(_ notification: Notification) { host.trigger(.willResignActive) }

  open func applicationWillTerminate(_ notification: Notification) { host.trigger(.willTerminate) }

  open func applicationProtectedDataDidBecomeAvailable(_ notification: Notification) {
    host.trigger(.protectedDataDidBecomeAvailable)
  }

  open func applicationProtectedDataWillBecomeUnavailable(_ notification: Notification) {
    host.trigger(.protectedDataWillBecomeUnavailable)
  }

  /// Triggers an event for each link.
  open func application(_ application: NSApplication, open urls: [URL]) {
    for url in urls { host.trigger(.openURL, OpenedURL(url)) }
  }

  open func application(
    _ application: NSApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
  ) {
    host.trigger(.didRegisterForRemoteNotifications, deviceToken)
  }

  open func application(
    _ application: NSApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
  ) {
    host.trigger(.didFailToRegisterForRemoteNotifications, error)
  }

  /// Triggers the event of a remote notification. AppKit takes no outcome.
  open func application(_ application: NSApplication, didReceiveRemoteNotification userInfo: [String: Any]) {
    host.trigger(
      .didReceiveRemoteNotification, RemoteNotification(userInfo: [String: PropertyValue](userInfo: userInfo))
    ) { _ in }
  }

  open func application(_ application: NSApplication, willContinueUserActivityWithType userActivityType: String) -> Bool
  {
    host.trigger(.willContinueUserActivity, userActivityType)
  }

  open func application(
    _ application: NSApplication, continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
  ) -> Bool {
    host.trigger(.continueUserActivity, UserActivity(userActivity))
  }

  open func application(
    _ application: NSApplication, didFailToContinueUserActivityWithType userActivityType: String, error: any Error
  ) {
    host.trigger(.didFailToContinueUserActivity, UserActivityFailure(type: userActivityType, error: error))
  }

  open func application(_ application: NSApplication, didUpdate userActivity: NSUserActivity) {
    host.trigger(.didUpdateUserActivity, UserActivity(userActivity))
  }
}

extension NSApplication {
  /// Sets the delegate again, so that AppKit queries its methods again.
  func resetDelegate() {
    guard let current = delegate else { return }
    delegate = nil
    delegate = current
  }
}
#endif
