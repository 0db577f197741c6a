#if canImport(UserNotifications) && canImport(ObjectiveC)
public import Foundation
internal import Lifecycle
public import UserNotifications

/// A delegate of the notification center that triggers the events of notifications.
///
/// ``ModuleAppDelegate`` and ``DelegateHooks`` set one if a module subscribed to its events and the
/// center has no delegate. The center's delegate must be set before the app has finished launching.
public final class ModuleNotificationDelegate: NSObject, UNUserNotificationCenterDelegate, ModuleNotifier {
  private let host: SystemEventHost
  /// The delegate of the center, which does not retain it.
  @MainActor private static var installed: ModuleNotificationDelegate?

  /// Creates a delegate.
  ///
  /// - Parameter host: The host that triggers the events.
  @MainActor public init(_ host: SystemEventHost) {
    self.host = host
  }

  /// Sets a delegate if a module subscribed to its events and the center has none.
  @MainActor static func installIfWanted(_ host: SystemEventHost) {
    let events = host.modules.subscribedEvents
    // Access the center only in this case, because a process without a bundle has none.
    guard DelegateMethod.all(of: .notificationCenter).contains(where: { events.contains($0.event) }),
      Bundle.main.bundleIdentifier != nil
    else { return }
    let center = UNUserNotificationCenter.current()
    guard center.delegate == nil else { return }
    let delegate = ModuleNotificationDelegate(host)
    installed = delegate
    center.delegate = delegate
  }

  /// Triggers the event of a notification that arrived while the app is active.
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) {
    let (notification, completion) = (UserNotification(notification), Transferred(completionHandler))
    // The center does not document the thread of its calls.
    Task { @MainActor in
      host.trigger(.willPresentNotification, notification) { completion.take()($0.options) }
    }
  }

  #if !os(tvOS)
  /// Triggers the event of the user's response to a notification.
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    let (response, completion) = (NotificationResponse(response), Transferred(completionHandler))
    Task { @MainActor in
      host.trigger(.didReceiveNotificationResponse, response) { _ in completion.take()() }
    }
  }
  #endif
}
#endif
