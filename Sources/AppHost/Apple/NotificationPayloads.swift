#if canImport(UserNotifications) && canImport(ObjectiveC)
import Foundation
import UserNotifications

// What UserNotifications hands to its delegate, as the payloads of events.

extension UserNotification {
  init(_ notification: UNNotification) {
    let request = notification.request
    let content = request.content
    #if os(tvOS)
    self.init(
      identifier: request.identifier, isRemote: request.trigger is UNPushNotificationTrigger, date: notification.date)
    #else
    self.init(
      identifier: request.identifier, isRemote: request.trigger is UNPushNotificationTrigger, date: notification.date,
      title: content.title, subtitle: content.subtitle, body: content.body, category: content.categoryIdentifier,
      thread: content.threadIdentifier, userInfo: [String: PropertyValue](userInfo: content.userInfo))
    #endif
  }
}

#if !os(tvOS)
extension NotificationResponse {
  init(_ response: UNNotificationResponse) {
    let action: Action =
      switch response.actionIdentifier {
      case UNNotificationDefaultActionIdentifier: .open
      case UNNotificationDismissActionIdentifier: .dismiss
      default: .custom(response.actionIdentifier)
      }
    self.init(
      UserNotification(response.notification), action: action,
      text: (response as? UNTextInputNotificationResponse)?.userText)
  }
}
#endif

extension PresentationOptions {
  /// Option by option: the bits are others.
  init(_ options: UNNotificationPresentationOptions) {
    self = []
    for (own, theirs) in Self.pairs where options.contains(theirs) { insert(own) }
  }

  var options: UNNotificationPresentationOptions {
    var options: UNNotificationPresentationOptions = []
    for (own, theirs) in Self.pairs where contains(own) { options.insert(theirs) }
    return options
  }

  private static var pairs: [(PresentationOptions, UNNotificationPresentationOptions)] {
    [(.badge, .badge), (.sound, .sound), (.list, .list), (.banner, .banner)]
  }
}
#endif
