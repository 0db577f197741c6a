package import Foundation
package import Registry

/// The contents of an event's payload, for languages that lack the payload's type.
///
/// The same kind of information has the same name in every event. For example, an Objective-C
/// method reads the link of a launch in the same way as the link of a scene.
package struct SystemEventContents: Sendable {
  /// A link that the app opens.
  package struct Link: Sendable {
    package var url: URL?
    /// The bundle identifier of the app that requested it.
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
    /// The text that the user entered.
    package var responseText: String?
  }

  /// A user activity without its title.
  package struct Activity: Sendable {
    package var type: String?
    package var webpageURL: URL?
  }

  /// The identifier of the event or the name of the phase.
  package var event = ""
  package var link = Link()
  package var text = Text()
  package var notification = Notification()
  package var activity = Activity()
  package var scene: AppScene?
  /// The identifier of a notification, a background session, or a container of CloudKit.
  package var identifier: String?
  package var userInfo: [String: PropertyValue]?
  package var deviceToken: Data?
  package var error: (any Error)?
  /// The type of a quick action.
  package var quickAction: String?
  /// The name of a removed module.
  package var module: String?
  /// The name of a custom event.
  package var customEvent: String?
  package var launchOptions: [String: PropertyValue]?

  package init(event: String) {
    self.event = event
  }

  /// Adds the contents of a payload.
  ///
  /// - Returns: `false` if the payload's type does not determine its meaning.
  @discardableResult package mutating func add(_ payload: Any) -> Bool {
    switch payload {
    case is Void: break
    case let opened as OpenedURL: add(opened)
    case let launch as LaunchOptions: add(launch)
    case let action as QuickAction: add(action)
    case let token as Data: deviceToken = token
    case let notification as RemoteNotification:
      userInfo = notification.userInfo
      self.notification.isRemote = true
    case let notification as LocalNotification:
      text = Text(title: notification.title, body: notification.body)
      self.notification.date = notification.fireDate
      userInfo = notification.userInfo
    case let notification as UserNotification: add(notification)
    case let response as NotificationResponse: add(response)
    case let activity as UserActivity: add(activity)
    case let failure as UserActivityFailure: (activity.type, error) = (failure.type, failure.error)
    case let scene as AppScene: self.scene = scene
    case let connection as SceneConnection: add(connection)
    case let opened as SceneURL:
      scene = opened.scene
      add(opened.opened)
    case let continued as SceneUserActivity:
      scene = continued.scene
      add(continued.activity)
    case let type as SceneUserActivityType: (scene, activity.type) = (type.scene, type.type)
    case let failed as SceneUserActivityFailure:
      (scene, activity.type, error) = (failed.scene, failed.failure.type, failed.failure.error)
    case let link as AppLink: add(link)
    case let share as CloudKitShare: (identifier, scene) = (share.containerIdentifier, share.scene)
    case let custom as CustomEvent: (customEvent, userInfo) = (custom.name, custom.parameters)
    default: return false
    }
    return true
  }

  private mutating func add(_ opened: OpenedURL) {
    link = Link(
      url: opened.url, sourceApplication: opened.sourceApplication, annotation: opened.annotation,
      opensInPlace: opened.opensInPlace)
  }

  private mutating func add(_ opened: AppLink) {
    switch opened.source {
    case .url(let url): add(url)
    case .universalLink(let activity), .handoff(let activity), .spotlight(let activity): add(activity)
    case .quickAction(let action): add(action)
    case .notification(let response): add(response)
    }
    (link.url, scene) = (opened.url, opened.scene)
  }

  private mutating func add(_ launch: LaunchOptions) {
    launch.url.map { add($0) }
    launch.quickAction.map { add($0) }
    // Prefer the notification's values to the quick action's: the system launches for one reason.
    if let remote = launch.notification { (userInfo, notification.isRemote) = (remote.userInfo, true) }
    activity.type = launch.userActivityType
    launchOptions = launch.others
  }

  private mutating func add(_ action: QuickAction) {
    text = Text(title: action.title, subtitle: action.subtitle)
    (quickAction, userInfo) = (action.type, action.userInfo)
    scene = action.scene
  }

  private mutating func add(_ shown: UserNotification) {
    text = Text(title: shown.title, subtitle: shown.subtitle, body: shown.body)
    notification = Notification(category: shown.category, date: shown.date, isRemote: shown.isRemote)
    (identifier, userInfo) = (shown.identifier, shown.userInfo)
  }

  private mutating func add(_ response: NotificationResponse) {
    add(response.notification)
    notification.responseText = response.text
    scene = response.scene
    notification.action =
      switch response.action {
      case .open: "com.apple.UNNotificationDefaultActionIdentifier"
      case .dismiss: "com.apple.UNNotificationDismissActionIdentifier"
      case .custom(let name): name
      }
  }

  private mutating func add(_ continued: UserActivity) {
    activity = Activity(type: continued.type, webpageURL: continued.webpageURL)
    (text.title, userInfo) = (continued.title, continued.userInfo)
  }

  private mutating func add(_ connection: SceneConnection) {
    connection.urls.first.map { add($0) }
    connection.quickAction.map { add($0) }
    activity.type = connection.handoffUserActivityType
    connection.userActivities.first.map { add($0) }
    connection.notificationResponse.map { add($0) }
    scene = connection.scene
    link.sourceApplication = connection.sourceApplication ?? link.sourceApplication
  }
}
