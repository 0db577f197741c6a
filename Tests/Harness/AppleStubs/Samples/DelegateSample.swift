// An app delegate that triggers the modules' events itself.
import AppHost
import Foundation
import Lifecycle

#if canImport(UIKit) && !os(watchOS)
import UIKit

final class AppDelegate: UIResponder, UIApplicationDelegate {
  private lazy var host = SystemEventHost(ModuleManager())

  func applicationDidBecomeActive(_ application: UIApplication) { host.trigger(.didBecomeActive) }

  func application(
    _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
  ) -> Bool {
    host.trigger(.openURL, OpenedURL(url, sourceApplication: options[.sourceApplication] as? String))
  }

  func application(
    _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
  ) {
    host.trigger(.didRegisterForRemoteNotifications, deviceToken)
  }
}
#endif
