#if canImport(UserNotifications) && canImport(ObjectiveC)
import Foundation
import Lifecycle
import ObjectiveC
import UserNotifications

/// The replacements for methods of the notification center's delegate.
@MainActor enum NotificationHooks {
  static func implementation(
    of selector: String, _ hook: MethodHook<ObjectiveCMethodTable>, _ host: SystemEventHost
  ) -> IMP {
    #if !os(tvOS)
    if selector == "userNotificationCenter:didReceiveNotificationResponse:withCompletionHandler:" {
      return hook.awaited(unanswered: { Block.plain($0)() }) { _, response, completion, original in
        let block = Block.plain(completion)
        guard let response = response as? UNNotificationResponse else {
          if let original { original(completion) } else { block() }
          return
        }
        host.deliver(
          .didReceiveNotificationResponse, NotificationResponse(response), by: .notificationCenter,
          own: original.map { original in { answer in original(Block.plain { answer(()) }) } }
        ) { _ in block() }
      }
    }
    #endif
    return hook.awaited(unanswered: { Block.integer($0)(0) }) { _, notification, completion, original in
      let block = Block.integer(completion)
      guard let notification = notification as? UNNotification else {
        if let original { original(completion) } else { block(0) }
        return
      }
      host.trigger(
        .willPresentNotification, UserNotification(notification),
        own: original.map { original in
          { answer in
            original(
              Block.integer { answer(PresentationOptions(UNNotificationPresentationOptions(rawValue: $0))) })
          }
        }
      ) { block($0.options.rawValue) }
    }
  }
}
#endif
