// Delegates as an app writes them. Documentation pages and Examples/ShopApp contain the usual ones,
// so these are the subclasses and overrides that no page shows.
import AppHost
import Foundation
import Lifecycle
import LifecycleTracing
import UserNotifications

#if canImport(UIKit) && !os(watchOS)
import UIKit

final class ShopAppDelegate: ModuleAppDelegate {
  override var moduleManager: ModuleManager { own }
  private let own = ModuleManager()
}

/// A delegate that triggers the modules' events itself.
final class TriggeringDelegate: UIResponder, UIApplicationDelegate {
  private let modules = ModuleManager()

  func applicationDidBecomeActive(_ application: UIApplication) { modules.trigger(.didBecomeActive) }

  func application(
    _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
  ) -> Bool {
    modules.trigger(.openURL, OpenedURL(url, sourceApplication: options[.sourceApplication] as? String))
  }

  func application(
    _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
  ) {
    modules.trigger(.didRegisterForRemoteNotifications, deviceToken)
  }
}

final class ShopSceneDelegate: ModuleSceneDelegate {
  // The superclass observes the notification, and UIKit calls the method as well, because Swift
  // exposes it to Objective-C.
  func sceneDidBecomeActive(_ scene: UIScene) {}
  static let phaseMethod = #selector(sceneDidBecomeActive(_:))

  override func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? {
    let activity = super.stateRestorationActivity(for: scene)
    activity?.title = "Shop"
    return activity
  }
}
#elseif os(watchOS)
import WatchKit

final class ShopAppDelegate: ModuleAppDelegate {
  // The superclass observes the notification, and WatchKit calls the method as well.
  func applicationDidBecomeActive() {}

  /// Handles the tasks of one kind, and leaves the others to the package.
  override func handle(_ backgroundTasks: Set<WKRefreshBackgroundTask>) {
    let refreshes = backgroundTasks.filter { $0 is WKApplicationRefreshBackgroundTask }
    for task in refreshes { task.setTaskCompletedWithSnapshot(true) }
    super.handle(backgroundTasks.subtracting(refreshes))
  }

  override func handle(_ userActivity: NSUserActivity) { super.handle(userActivity) }
}
#elseif canImport(AppKit)
import AppKit

final class ShopAppDelegate: ModuleAppDelegate {
  override func application(_ application: NSApplication, open urls: [URL]) {
    super.application(application, open: urls.filter { $0.scheme != "legacy" })
  }
}

final class TriggeringDelegate: NSObject, NSApplicationDelegate {
  func application(_ application: NSApplication, open urls: [URL]) {}

  func application(
    _ application: NSApplication, continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
  ) -> Bool { true }
}
#endif

final class ShopNotificationDelegate: ModuleNotificationDelegate {
  override func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) {
    if notification.request.identifier == "legacy" { return completionHandler([]) }
    super.userNotificationCenter(center, willPresent: notification, withCompletionHandler: completionHandler)
  }
}

@MainActor func watch(_ modules: ModuleManager) { modules.showInInstruments() }

// Objective-C passes nil for a class or protocol that it cannot find by name, because its compiler
// does not check for nil.
func registerByName(_ name: String) throws {
  let absent: AnyClass? = nil
  REGModules.registerModule(absent)
  _ = try REGServices.createService(NSProtocolFromString(name), named: nil)
}
