// The package's delegates, subclassed as in apps, and the call that installs the delegate hooks.
import AppHost
import Foundation
import Lifecycle
import UserNotifications

#if canImport(UIKit) && !os(watchOS)
import UIKit

final class ShopAppDelegate: ModuleAppDelegate {
  override var modules: ModuleManager { own }
  private let own = ModuleManager()

  override func application(
    _ application: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
  ) -> Bool {
    url.scheme == "legacy" || super.application(application, open: url, options: options)
  }

  override func startModules(launch: ContextValues) throws {
    host.timeLimit = 20
    try super.startModules(launch: launch)
  }

  /// Forwards the methods for which there is no event.
  func addTarget() { forwardingTargets.append(ForwardedDelegate()) }

  override func modulesFailedToStart(_ error: any Error) { print(error) }
}

final class ForwardedDelegate: NSObject, UIApplicationDelegate {
  func application(
    _ application: UIApplication,
    shouldAllowExtensionPointIdentifier identifier: UIApplication.ExtensionPointIdentifier
  ) -> Bool { identifier != .keyboard }
}

@MainActor func continueOrders(_ modules: ModuleManager, in controller: UIViewController) {
  modules.on(.continueUserActivity) { activity, _ in
    activity.restore(with: [controller])
    return true
  }
}

final class ShopSceneDelegate: ModuleSceneDelegate {
  override func sceneDidBecomeActive(_ scene: UIScene) {
    super.sceneDidBecomeActive(scene)
  }

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

  func addTarget() { forwardingTargets.append(ForwardedDelegate()) }
}

final class ForwardedDelegate: NSObject, WKApplicationDelegate {
  func handleUserActivity(_ userInfo: [AnyHashable: Any]?) {}
}
#elseif canImport(AppKit)
import AppKit

final class ShopAppDelegate: ModuleAppDelegate {
  override func application(_ application: NSApplication, open urls: [URL]) {
    super.application(application, open: urls.filter { $0.scheme != "legacy" })
  }
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

#if !os(watchOS)
@MainActor func hooked() {
  let hooks = DelegateHooks.install(ModuleManager(), startsModules: false, timeLimit: 10)
  hooks.update()
}
#endif
