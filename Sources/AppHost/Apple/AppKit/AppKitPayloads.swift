#if canImport(AppKit) && !canImport(UIKit)
public import AppKit
import Foundation
import UserNotifications

extension LaunchOptions {
  /// Creates the value that represents the launch that a notification of AppKit reports.
  @MainActor init(_ userInfo: [AnyHashable: Any]?) {
    // Apple documents an object of the deprecated class NSUserNotification. For notifications of
    // UserNotifications, the value is a response.
    self.init(desktop: userInfo ?? [:], notificationKey: NSApplication.launchUserNotificationUserInfoKey) {
      ($0 as? UNNotificationResponse).map { UserNotification($0.notification) }
    }
  }
}

extension UserActivity {
  /// Lets objects of the app show the activity.
  ///
  /// AppKit calls `restoreUserActivityState(_:)` of each object. Call the method in a handler of
  /// `Event.continueUserActivity`. The app's delegate passes the objects of all modules to the
  /// restoration handler of AppKit in one call, after the handlers. If you call the method later,
  /// or for an activity of a scene, which has no restoration handler, it can call
  /// `restoreUserActivityState(_:)` itself.
  @MainActor public func restore(with objects: [any NSUserActivityRestoring]) {
    restore(objects) { Self.restore($0, systemObject as? NSUserActivity) }
  }
}
#endif
