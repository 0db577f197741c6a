#if canImport(UserNotifications) && canImport(ObjectiveC)
public import Foundation
internal import Lifecycle
public import UserNotifications

/// A delegate of the notification centre that tells modules what it is told.
///
/// ``ModuleAppDelegate`` and ``DelegateHooks`` set one if some module subscribed to its events and nobody else is the centre's
/// delegate. The centre's delegate must be set before the app has finished launching.
public final class ModuleNotificationDelegate: NSObject, UNUserNotificationCenterDelegate, ModuleNotifier {
  private let host: SystemEventHost
  /// The centre does not keep its delegate.
  @MainActor private static var installed: ModuleNotificationDelegate?

  /// - Parameter host: Passes on what happens.
  @MainActor public init(_ host: SystemEventHost) {
    self.host = host
  }

  /// Makes one the centre's delegate if somebody wants to hear of it and there is none.
  @MainActor static func installIfWanted(_ host: SystemEventHost) {
    let events = host.modules.subscribedEvents
    // Not asked for otherwise: there is no centre in a process without a bundle.
    guard DelegateMethod.all(of: .notificationCenter).contains(where: { events.contains($0.event) }),
      Bundle.main.bundleIdentifier != nil
    else { return }
    let center = UNUserNotificationCenter.current()
    guard center.delegate == nil else { return }
    let delegate = ModuleNotificationDelegate(host)
    installed = delegate
    center.delegate = delegate
  }

  /// Passes on ``Lifecycle/AsyncEvent/willPresentNotification``.
  public func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) {
    let (notification, completion) = (UserNotification(notification), Transferred(completionHandler))
    // The centre does not say on which thread it calls.
    Task { @MainActor in
      host.trigger(.willPresentNotification, notification) { completion.take()($0.options) }
    }
  }

  #if !os(tvOS)
  /// Passes on ``Lifecycle/AsyncEvent/didReceiveNotificationResponse``.
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
