public import Foundation
public import Lifecycle
public import Registry

/// A notification that a server sent, as it came.
public struct RemoteNotification: Sendable, Hashable {
  public var userInfo: [String: PropertyValue]

  public init(userInfo: [String: PropertyValue]) {
    self.userInfo = userInfo
  }
}

/// A notification that the app scheduled itself: UIKit's `UILocalNotification`.
public struct LocalNotification: Sendable, Hashable {
  public var title: String?
  public var body: String?
  public var fireDate: Date?
  public var userInfo: [String: PropertyValue]

  public init(title: String? = nil, body: String? = nil, fireDate: Date? = nil, userInfo: [String: PropertyValue] = [:])
  {
    self.title = title
    self.body = body
    self.fireDate = fireDate
    self.userInfo = userInfo
  }
}

/// A notification that is shown to the user, wherever it came from: UserNotifications' `UNNotification`.
public struct UserNotification: Sendable, Hashable {
  /// Of the request that it comes from.
  public var identifier: String
  /// Whether a server sent it.
  public var isRemote: Bool
  public var date: Date?
  public var title: String
  public var subtitle: String
  public var body: String
  /// The group of actions that it offers.
  public var category: String
  /// What it belongs to with others.
  public var thread: String
  public var userInfo: [String: PropertyValue]

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
}

/// What the user did with a notification: UserNotifications' `UNNotificationResponse`.
public struct NotificationResponse: Sendable, Hashable {
  /// What was chosen.
  public enum Action: Sendable, Hashable {
    /// The notification itself was opened.
    case open
    /// It was dismissed.
    case dismiss
    /// One of the app's own actions, by its identifier.
    case custom(String)
  }

  public var notification: UserNotification
  public var action: Action
  /// What was written, if the action asks for a text.
  public var text: String?

  public init(_ notification: UserNotification, action: Action = .open, text: String? = nil) {
    self.notification = notification
    self.action = action
    self.text = text
  }
}

extension Event where Payload == Data, Outcome == Void {
  /// The device has a token, which servers send notifications to.
  ///
  /// UIKit, AppKit: `application(_:didRegisterForRemoteNotificationsWithDeviceToken:)`. WatchKit:
  /// `didRegisterForRemoteNotifications(withDeviceToken:)`.
  public static var didRegisterForRemoteNotifications: Self { .init("notification.didRegisterForRemote") }
}

extension Event where Payload == any Error, Outcome == Void {
  /// The device has no token, for a reason.
  ///
  /// UIKit, AppKit: `application(_:didFailToRegisterForRemoteNotificationsWithError:)`. WatchKit:
  /// `didFailToRegisterForRemoteNotificationsWithError(_:)`.
  public static var didFailToRegisterForRemoteNotifications: Self { .init("notification.didFailToRegisterForRemote") }
}

extension AsyncEvent where Payload == RemoteNotification, Outcome == FetchResult {
  /// A server sent a notification; modules fetch what it announces. The most telling ``FetchResult``; ``FetchResult/noData`` if
  /// nobody answers.
  ///
  /// UIKit: `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`. WatchKit:
  /// `didReceiveRemoteNotification(_:fetchCompletionHandler:)`. AppKit: `application(_:didReceiveRemoteNotification:)`, which does
  /// not ask for the outcome.
  public static var didReceiveRemoteNotification: Self {
    .init("notification.didReceiveRemote", initial: .noData, combine: { $0 = $0.combined(with: $1) })
  }
}

extension Event where Payload == LocalNotification, Outcome == Void {
  /// A notification that the app scheduled is due. UIKit: `application(_:didReceive:)`, deprecated since UserNotifications.
  public static var didReceiveLocalNotification: Self { .init("notification.didReceiveLocal") }
}

extension AsyncEvent where Payload == UserNotification, Outcome == PresentationOptions {
  /// A notification came while the app is in front. All the ways in which modules want it shown; none if nobody answers.
  ///
  /// UserNotifications: `userNotificationCenter(_:willPresent:withCompletionHandler:)`.
  public static var willPresentNotification: Self { .init("notification.willPresent") }
}

extension AsyncEvent where Payload == NotificationResponse, Outcome == Void {
  /// The user opened or dismissed a notification, or chose one of its actions.
  ///
  /// UserNotifications: `userNotificationCenter(_:didReceive:withCompletionHandler:)`.
  public static var didReceiveNotificationResponse: Self { .init("notification.didReceiveResponse") }
}
