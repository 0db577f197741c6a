#if canImport(UIKit) && !os(watchOS) && !os(tvOS) && !os(visionOS)
import Foundation
import Registry

extension LocalNotification {
  /// Creates the value of a `UILocalNotification`.
  ///
  /// It is read by key, because the class is deprecated and naming it would cause a warning.
  init(uiLocalNotification notification: NSObject) {
    self.init(
      title: notification.value(forKey: "alertTitle") as? String,
      body: notification.value(forKey: "alertBody") as? String,
      fireDate: notification.value(forKey: "fireDate") as? Date,
      userInfo: [String: PropertyValue](userInfo: notification.value(forKey: "userInfo") as? [AnyHashable: Any] ?? [:]))
  }
}
#endif
