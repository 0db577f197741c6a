public import Foundation
public import Lifecycle
public import Registry

/// A notification that a server sent.
public struct RemoteNotification: Sendable, Hashable {
  public var userInfo: [String: PropertyValue]

  public init(userInfo: [String: PropertyValue]) {
    self.userInfo = userInfo
  }
}

/// A remote or local notification for the user.
///
/// It corresponds to `UNNotification` in UserNotifications.
public struct UserNotification: Sendable, Hashable {
  /// The identifier of the notification's request; empty for a `UILocalNotification`.
  public var identifier: String
  /// A Boolean value that indicates whether a server sent the notification.
  public var isRemote: Bool
  public var date: Date?
  public var title: String
  public var subtitle: String
  public var body: String
  /// The category, which determines the actions that the user can choose.
  public var category: String
  /// The thread, which groups related notifications.
  public var thread: String
  public var userInfo: [String: PropertyValue]
  package var object = SystemObject(nil)

  public init(
    identifier: String, isRemote: Bool = false, date: Date? = nil, title: String = "", subtitle: String = "",
    body: String = "", category: String = "", thread: String = "", userInfo: [String: PropertyValue] = [:]
  ) {
    self.identifier = identifier
    self.isRemote = isRemote
    self.date = date
    self.title = title
    self.subtitle = subtitle
    self.body = body
    self.category = category
    self.thread = thread
    self.userInfo = userInfo
  }

  /// The system's object that the values were read from, or nil.
  ///
  /// It's a `UNNotification`, whose request contains the attachments, or nil for a
  /// `UILocalNotification`. It doesn't affect equality.
  @MainActor public var systemObject: AnyObject? { object.value }
}

/// The user's response to a notification.
///
/// It corresponds to `UNNotificationResponse` in UserNotifications.
public struct NotificationResponse: Sendable, Hashable, ObjectPayload {
  /// The chosen action.
  public enum Action: Sendable, Hashable {
    /// The action of opening the notification.
    case open
    /// The action of dismissing the notification.
    case dismiss
    /// The app's own action with the associated identifier.
    case custom(String)
  }

  public var notification: UserNotification
  public var action: Action
  /// The text that the user entered, or nil for an action without text.
  public var text: String?
  /// The scene that should reflect the response, or nil if the system chose no scene.
  public var scene: AppScene?
  package var object = SystemObject(nil)

  public init(
    _ notification: UserNotification, action: Action = .open, text: String? = nil, scene: AppScene? = nil
  ) {
    self.notification = notification
    self.action = action
    self.text = text
    self.scene = scene
  }
}

extension Event where Payload == Data, Outcome == Void {
  /// An event that is triggered when the device receives a token for remote notifications.
  ///
  /// UIKit, AppKit: `application(_:didRegisterForRemoteNotificationsWithDeviceToken:)`. WatchKit:
  /// `didRegisterForRemoteNotifications(withDeviceToken:)`.
  public static var didRegisterForRemoteNotifications: Self { .init("notification.didRegisterForRemote") }
}

extension Event where Payload == any Error, Outcome == Void {
  /// An event that is triggered when the device can't obtain a token. The payload is the reason.
  ///
  /// UIKit, AppKit: `application(_:didFailToRegisterForRemoteNotificationsWithError:)`. WatchKit:
  /// `didFailToRegisterForRemoteNotificationsWithError(_:)`.
  public static var didFailToRegisterForRemoteNotifications: Self { .init("notification.didFailToRegisterForRemote") }
}

extension AsyncEvent where Payload == RemoteNotification, Outcome == BackgroundFetchResult {
  /// An event that is triggered when a remote notification arrives.
  ///
  /// Modules fetch the announced content. The outcome is the most informative answer of the modules
  /// and the app's own method, or ``BackgroundFetchResult/noData`` without an answer.
  ///
  /// UIKit: `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`. WatchKit:
  /// `didReceiveRemoteNotification(_:fetchCompletionHandler:)`. AppKit:
  /// `application(_:didReceiveRemoteNotification:)`, which takes no outcome.
  public static var didReceiveRemoteNotification: Self {
    .init("notification.didReceiveRemote", combining: .init(initial: .noData) { $0 = $0.combined(with: $1) })
  }
}

extension Event where Payload == UserNotification, Outcome == Void {
  /// An event that is triggered when a notification that the app scheduled is due.
  ///
  /// The payload has the title, the body, the date, and the user info of a `UILocalNotification`.
  ///
  /// UIKit: `application(_:didReceive:)`, which UserNotifications replaced. Only hooks of an app's
  /// own delegate trigger the event, because this package's delegates lack the method.
  public static var didReceiveLocalNotification: Self { .init("notification.didReceiveLocal") }
}

extension AsyncEvent where Payload == UserNotification, Outcome == NotificationPresentationOptions {
  /// An event that is triggered when a notification arrives while the app is in the foreground.
  ///
  /// The outcome is the union of the options that modules and the app's own method return.
  ///
  /// UserNotifications: `userNotificationCenter(_:willPresent:withCompletionHandler:)`.
  public static var willPresentNotification: Self { .init("notification.willPresent", combining: .union) }
}

extension AsyncEvent where Payload == NotificationResponse, Outcome == Void {
  /// An event that is triggered when the user responds to a notification. The system reports a
  /// dismissal only if the notification's category has the option `customDismissAction`.
  ///
  /// UserNotifications: `userNotificationCenter(_:didReceive:withCompletionHandler:)`.
  public static var didReceiveNotificationResponse: Self { .init("notification.didReceiveResponse") }
}
