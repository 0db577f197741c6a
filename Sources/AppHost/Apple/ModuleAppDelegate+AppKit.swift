#if canImport(AppKit) && !canImport(UIKit)
public import AppKit
public import Foundation
public import Lifecycle
import Registry

/// An app delegate that tells modules what AppKit tells it. To subclass, or to use as it is.
///
/// ```swift
/// @main final class AppDelegate: ModuleAppDelegate {}
///
/// @NSApplicationDelegateAdaptor(ModuleAppDelegate.self) var appDelegate   // in a SwiftUI app
/// ```
///
/// Starts the modules in `applicationWillFinishLaunching(_:)`. It advertises (`responds(to:)`) a method only if some module subscribed to its
/// event or a subclass has one of its own. A subclass that overrides a method calls `super` where modules are to be told.
@MainActor open class ModuleAppDelegate: NSObject, NSApplicationDelegate, TellsModules {
  /// Who is told; ``Lifecycle/ModuleManager/shared`` unless overridden.
  open var modules: ModuleManager { .shared }

  /// Passes on what happens.
  public private(set) lazy var host = SystemEventHost(modules)

  private lazy var advertised = AdvertisedMethods(
    .desktopApplication, of: modules, always: ["applicationDidFinishLaunching:"])
  private var isStarted = false

  /// Starts the modules. To be overridden by apps with modules that have asynchronous phases, which `run()` takes.
  ///
  /// - Parameter launch: What ``Lifecycle/Context/launch`` is to be.
  /// - Throws: What ``modulesFailedToStart(_:)`` is to be told.
  open func startModules(launch: ContextValues) throws {
    try modules.start(launch: launch)
  }

  /// Says why there are no modules: to the manager's `onDiagnostic`, under ``Registry/Diagnostic/Code/startFailed``, unless overridden.
  open func modulesFailedToStart(_ error: any Error) { modules.report(.startFailed(error)) }

  /// Lets AppKit ask again which methods there are, after images with modules were opened or closed.
  public func advertiseAnew() { NSApp?.askDelegateAnew() }

  /// Whether there is a method and somebody wants to hear of it.
  // Nonisolated as NSObject's: AppKit asks on the main thread, and whoever asks on another is told what is there.
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

  /// Passes on ``Lifecycle/Event/didFinishLaunching``; starts the modules if that was not done yet.
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

  /// Passes on ``Lifecycle/Event/openURL``, once for each link.
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

  /// Passes on ``Lifecycle/AsyncEvent/didReceiveRemoteNotification``; AppKit does not ask for the outcome.
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
  /// Lets AppKit ask the delegate again which methods it has, as it does when another one is set.
  func askDelegateAnew() {
    guard let current = delegate else { return }
    delegate = nil
    delegate = current
  }
}
#endif
