#if canImport(UIKit) && !os(watchOS)
import Foundation
import Registry

extension LocalNotification {
  /// Creates the value that represents a local notification of UIKit.
  ///
  /// The initializer reads the properties of the `UILocalNotification` by key, because naming the
  /// deprecated class would cause a warning.
  init(uiLocalNotification notification: NSObject) {
    self.init(
      title: notification.value(forKey: "alertTitle") as? String,
      body: notification.value(forKey: "alertBody") as? String,
      fireDate: notification.value(forKey: "fireDate") as? Date,
      userInfo: [String: PropertyValue](userInfo: notification.value(forKey: "userInfo") as? [AnyHashable: Any] ?? [:]))
  }
}
#endif
