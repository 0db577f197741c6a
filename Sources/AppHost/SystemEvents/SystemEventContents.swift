package import Foundation
package import Registry

/// What an event carries, for languages without its types: each kind of thing under one name, whichever event it comes with.
package struct SystemEventContents: Sendable {
  /// The event's id; a phase's name.
  package var event = ""
  package var url: URL?
  package var sourceApplication: String?
  package var annotation: PropertyValue?
  package var opensInPlace = false
  package var userInfo: [String: PropertyValue]?
  package var deviceToken: Data?
  package var error: (any Error)?
  /// A notification's, a scene's or a background session's.
  package var identifier: String?
  package var title: String?
  package var subtitle: String?
  package var body: String?
  package var category: String?
  /// A notification's or the date it is due.
  package var date: Date?
  package var isRemote = false
  /// What the user chose of a notification, as UserNotifications has it.
  package var action: String?
  package var responseText: String?
  package var quickAction: String?
  package var activityType: String?
  package var webpageURL: URL?
  package var sceneIdentifier: String?
  package var sceneRole: String?
  /// The name of a module that was taken out.
  package var module: String?
  package var customEvent: String?
  package var launchOptions: [String: PropertyValue]?

  package init(event: String) {
    self.event = event
  }

  /// Takes over what a payload says; false if it is of no type that stands for one thing alone.
  @discardableResult package mutating func add(_ payload: Any) -> Bool {
    switch payload {
    case is Void: break
    case let opened as OpenedURL: add(opened)
    case let launch as LaunchOptions: add(launch)
    case let action as QuickAction: add(action)
    case let token as Data: deviceToken = token
    case let notification as RemoteNotification:
      userInfo = notification.userInfo
      isRemote = true
    case let notification as LocalNotification:
      (title, body, date, userInfo) = (
        notification.title, notification.body, notification.fireDate, notification.userInfo
      )
    case let notification as UserNotification: add(notification)
    case let response as NotificationResponse: add(response)
    case let activity as UserActivity: add(activity)
    case let failure as UserActivityFailure: (activityType, error) = (failure.type, failure.error)
    case let scene as AppScene: add(scene)
    case let connection as SceneConnection: add(connection)
    case let opened as SceneURL:
      add(opened.scene)
      add(opened.opened)
    case let continued as SceneUserActivity:
      add(continued.scene)
      add(continued.activity)
    case let custom as CustomEvent: (customEvent, userInfo) = (custom.name, custom.parameters)
    default: return false
    }
    return true
  }

  private mutating func add(_ opened: OpenedURL) {
    (url, sourceApplication, annotation, opensInPlace) = (
      opened.url, opened.sourceApplication, opened.annotation, opened.opensInPlace
    )
  }

  private mutating func add(_ launch: LaunchOptions) {
    launch.url.map { add($0) }
    launch.quickAction.map { add($0) }
    // The notification's, if the menu's entry has some too: the system launches for one thing.
    if let notification = launch.notification { (userInfo, isRemote) = (notification.userInfo, true) }
    activityType = launch.userActivityType
    launchOptions = launch.others
  }

  private mutating func add(_ action: QuickAction) {
    (quickAction, title, subtitle, userInfo) = (action.type, action.title, action.subtitle, action.userInfo)
  }

  private mutating func add(_ notification: UserNotification) {
    (identifier, title, subtitle, body) = (
      notification.identifier, notification.title, notification.subtitle, notification.body
    )
    (category, date, isRemote, userInfo) = (
      notification.category, notification.date, notification.isRemote, notification.userInfo
    )
  }

  private mutating func add(_ response: NotificationResponse) {
    add(response.notification)
    responseText = response.text
    switch response.action {
    case .open: action = "com.apple.UNNotificationDefaultActionIdentifier"
    case .dismiss: action = "com.apple.UNNotificationDismissActionIdentifier"
    case .custom(let name): action = name
    }
  }

  private mutating func add(_ activity: UserActivity) {
    (activityType, title, webpageURL, userInfo) = (
      activity.type, activity.title, activity.webpageURL, activity.userInfo
    )
  }

  private mutating func add(_ scene: AppScene) {
    (sceneIdentifier, sceneRole) = (scene.identifier, scene.role.rawValue)
  }

  private mutating func add(_ connection: SceneConnection) {
    connection.urls.first.map { add($0) }
    connection.quickAction.map { add($0) }
    connection.userActivities.first.map { add($0) }
    connection.notificationResponse.map { add($0) }
    add(connection.scene)
    sourceApplication = connection.sourceApplication ?? sourceApplication
  }
}
