#if canImport(UserNotifications) && canImport(ObjectiveC)
import Foundation
import Registry
import UserNotifications
#if canImport(UIKit) && !os(watchOS)
import UIKit
#endif

extension UserNotification {
  init(_ notification: UNNotification) {
    let request = notification.request
    self.init(
      identifier: request.identifier, isRemote: request.trigger is UNPushNotificationTrigger, date: notification.date)
    #if !os(tvOS)
    let content = request.content
    (title, subtitle, body) = (content.title, content.subtitle, content.body)
    (category, thread) = (content.categoryIdentifier, content.threadIdentifier)
    userInfo = [String: PropertyValue](userInfo: content.userInfo)
    #endif
    object = SystemObject(notification)
  }
}

#if !os(tvOS)
extension NotificationResponse {
  @MainActor init(_ response: UNNotificationResponse) {
    let action: Action =
      switch response.actionIdentifier {
      case UNNotificationDefaultActionIdentifier: .open
      case UNNotificationDismissActionIdentifier: .dismiss
      default: .custom(response.actionIdentifier)
      }
    self.init(
      UserNotification(response.notification), action: action,
      text: (response as? UNTextInputNotificationResponse)?.userText)
    #if canImport(UIKit) && !os(watchOS)
    scene = response.targetScene.map { AppScene($0) }
    #endif
    object = SystemObject(response)
  }
}
#endif
#endif
