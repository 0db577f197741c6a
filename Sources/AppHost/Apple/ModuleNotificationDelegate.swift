#if canImport(UserNotifications) && canImport(ObjectiveC)
public import Foundation
public import Lifecycle
public import UserNotifications

/// A notification center delegate that triggers the events of notifications.
///
/// ``ModuleAppDelegate`` and ``DelegateHooks`` install an instance if a module needs its events and
/// the notification center has no delegate. To handle notifications in the app as well, set an
/// instance of a subclass before the app finishes launching, and keep a reference to it.
///
/// ```swift
/// final class NotificationDelegate: ModuleNotificationDelegate {}
///
/// notificationDelegate = NotificationDelegate()
/// UNUserNotificationCenter.current().delegate = notificationDelegate
/// ```
///
/// Like ``ModuleAppDelegate``, it responds to an event's method only if a module needs the event or
/// a subclass overrides the method. An override calls `super` to pass the event to the modules.
@MainActor open class ModuleNotificationDelegate: NSObject, UNUserNotificationCenterDelegate, MethodAdvertiser {
  /// The objects that receive calls to methods without an event.
  ///
  /// An example is `userNotificationCenter(_:openSettingsFor:)`.
  ///
  /// The first object that has the method receives the call. The delegate retains the objects.
  public var forwardingTargets: [any UNUserNotificationCenterDelegate] = [] {
    didSet { forward(to: forwardingTargets) }
  }

  nonisolated let methods = AdvertisedMethods(.notificationCenter)
  let moduleManager: ModuleManager
  /// The delegate that the package set, retained because the center doesn't retain it.
  private static var installed: ModuleNotificationDelegate?
  /// True once the process has created a delegate.
  static private(set) var isCreated = false

  /// Creates a delegate.
  ///
  /// - Parameter modules: The manager of the modules that receive the events.
  public init(_ modules: ModuleManager = .shared) {
    moduleManager = modules
    Self.isCreated = true
  }

  static func install(_ modules: ModuleManager) {
    let delegate = ModuleNotificationDelegate(modules)
    installed = delegate
    UNUserNotificationCenter.current().delegate = delegate
  }

  /// Returns a Boolean value that indicates whether the delegate has a method and needs it.
  open nonisolated override func responds(to selector: Selector!) -> Bool {
    advertises(selector, hasMethod: super.responds(to: selector), of: ModuleNotificationDelegate.self)
  }

  /// Returns the object that receives a method that the delegate does not have.
  open nonisolated override func forwardingTarget(for selector: Selector!) -> Any? {
    methods.target(for: selector) ?? super.forwardingTarget(for: selector)
  }

  /// Triggers the event of a notification that arrives while the app is active.
  ///
  /// Modules have at most two seconds to answer, because the system waits to show the notification.
  open nonisolated func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) {
    let (notification, completion) = (UserNotification(notification), Transferred(completionHandler))
    // Apple doesn't document which thread the center calls this method on.
    Task { @MainActor in
      moduleManager.deliver(.willPresentNotification, notification, by: .notificationCenter) {
        completion.take()(UNNotificationPresentationOptions(rawValue: $0.systemBits))
      }
    }
  }

  #if !os(tvOS)
  /// Triggers the event of the user's response to a notification.
  open nonisolated func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    let (response, completion) = (Transferred(response), Transferred(completionHandler))
    Task { @MainActor in
      let response = response.take()
      moduleManager.deliver(.didReceiveNotificationResponse, NotificationResponse(response), by: .notificationCenter) {
        _ in
        completion.take()()
      }
    }
  }
  #endif
}
#endif
