#if canImport(AppKit) && !canImport(UIKit)
import AppKit
import Foundation
import UserNotifications

extension LaunchOptions {
  @MainActor init(_ userInfo: [AnyHashable: Any]?) {
    // Apple documents the value as the deprecated NSUserNotification. With UserNotifications, it's
    // a response.
    self.init(desktop: userInfo ?? [:], notificationKey: NSApplication.launchUserNotificationUserInfoKey) {
      ($0 as? UNNotificationResponse).map { UserNotification($0.notification) }
    }
  }
}
#endif
