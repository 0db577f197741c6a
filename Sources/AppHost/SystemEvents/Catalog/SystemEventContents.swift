package import Foundation
import Lifecycle
package import Registry

/// The contents of an event's payload, for languages that lack the payload's type.
///
/// The same information has the same name in every event. For example, an Objective-C method reads
/// the link of a launch and the link of a scene in the same way.
package struct SystemEventContents: Sendable {
  package struct Link: Sendable {
    package var url: URL?
    /// The bundle identifier of the app that requested the link.
    package var sourceApplication: String?
    package var annotation: PropertyValue?
    package var opensInPlace = false
  }

  /// The displayed text of a notification, a quick action, or a user activity.
  package struct Text: Sendable {
    package var title: String?
    package var subtitle: String?
    package var body: String?
  }

  /// A notification without its text, and the user's response to it.
  package struct Notification: Sendable {
    package var category: String?
    /// The date when the notification was delivered or is due.
    package var date: Date?
    package var isRemote = false
    /// The identifier of the action that the user chose, as UserNotifications spells it.
    package var action: String?
    package var responseText: String?
  }

  /// The identifier of the event or the name of the phase.
  package let event: String
  package var link = Link()
  package var text = Text()
  package var notification = Notification()
  package var activityType: String?
  package var webpageURL: URL?
  package var scene: AppScene?
  /// The identifier of a notification, a background session, or a CloudKit container.
  package var identifier: String?
  package var userInfo: [String: PropertyValue]?
  package var deviceToken: Data?
  package var error: (any Error)?
  package var quickAction: String?
  /// The name of a removed module.
  package var module: String?
  package var customEvent: String?
  package var launchOptions: [String: PropertyValue]?

  package init(event: String) {
    self.event = event
  }

  /// Adds the contents of a payload.
  ///
  /// - Returns: `false` if neither the payload's type nor the event determines its meaning.
  @discardableResult package mutating func add(_ payload: Any?) -> Bool {
    switch payload {
    case nil, is Void: break
    case let opened as OpenedURL:
      link = Link(
        url: opened.url, sourceApplication: opened.sourceApplication, annotation: opened.annotation,
        opensInPlace: opened.opensInPlace)
      scene = opened.scene
    case let opened as AppLink:
      add(opened.source.payload)
      (link.url, scene) = (opened.url, opened.scene)
    case let launch as LaunchOptions:
      add(launch.url)
      add(launch.quickAction)
      // Let the notification's values override the quick action's, because the notification caused
      // the launch.
      add(launch.notification)
      (activityType, launchOptions) = (launch.userActivityType, launch.others)
    case let action as QuickAction:
      text = Text(title: action.title, subtitle: action.subtitle)
      (quickAction, userInfo, scene) = (action.type, action.userInfo, action.scene)
    case let token as Data: deviceToken = token
    case let remote as RemoteNotification: (userInfo, notification.isRemote) = (remote.userInfo, true)
    case let shown as UserNotification:
      text = Text(title: shown.title, subtitle: shown.subtitle, body: shown.body)
      notification = Notification(category: shown.category, date: shown.date, isRemote: shown.isRemote)
      (identifier, userInfo) = (shown.identifier, shown.userInfo)
    case let response as NotificationResponse:
      add(response.notification)
      (notification.responseText, scene) = (response.text, response.scene)
      notification.action =
        switch response.action {
        case .open: "com.apple.UNNotificationDefaultActionIdentifier"
        case .dismiss: "com.apple.UNNotificationDismissActionIdentifier"
        case .custom(let name): name
        }
    case let continued as UserActivity:
      (activityType, webpageURL) = (continued.type, continued.webpageURL)
      (text.title, userInfo, scene) = (continued.title, continued.userInfo, continued.scene)
    case let failure as UserActivityFailure:
      (activityType, error, scene) = (failure.type, failure.error, failure.scene)
    case let scene as AppScene: self.scene = scene
    case let connection as SceneConnection:
      add(connection.urls.first)
      add(connection.quickAction)
      activityType = connection.handoffUserActivityType
      add(connection.userActivities.first)
      add(connection.notificationResponse)
      scene = connection.scene
      link.sourceApplication = connection.sourceApplication ?? link.sourceApplication
    case let share as CloudKitShare: (identifier, scene) = (share.containerIdentifier, share.scene)
    case let custom as CustomEvent: (customEvent, userInfo) = (custom.name, custom.parameters)
    case let name as String where event == "\(Event.moduleDidUnregister.id)": module = name
    case let session as String where event == "\(AsyncEvent.handleBackgroundURLSession.id)": identifier = session
    case let reason as any Error: error = reason
    default: return false
    }
    return true
  }
}
