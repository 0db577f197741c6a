#if canImport(UIKit) && !os(watchOS)
import CloudKit
import Foundation
import Registry
import UIKit

extension LaunchOptions {
  @MainActor init(_ options: [UIApplication.LaunchOptionsKey: Any]?) {
    self.init()
    var rest = options ?? [:]
    url = (rest.removeValue(forKey: .url) as? URL).map {
      OpenedURL($0, sourceApplication: rest.removeValue(forKey: .sourceApplication) as? String)
    }
    #if !os(tvOS)
    notification = (rest.removeValue(forKey: .remoteNotification) as? [AnyHashable: Any]).map { RemoteNotification($0) }
    quickAction = (rest.removeValue(forKey: .shortcutItem) as? UIApplicationShortcutItem).map { QuickAction($0) }
    #endif
    let activity = rest.removeValue(forKey: .userActivityDictionary) as? [AnyHashable: Any]
    userActivityType = activity?[UIApplication.LaunchOptionsKey.userActivityType.rawValue] as? String
    for (key, value) in rest { others[key.rawValue] = PropertyValue(value) }
  }
}

extension OpenedURL {
  init(_ url: URL, _ options: [UIApplication.OpenURLOptionsKey: Any]) {
    self.init(
      url, sourceApplication: options[.sourceApplication] as? String,
      annotation: options[.annotation].flatMap { PropertyValue($0) },
      opensInPlace: options[.openInPlace] as? Bool ?? false)
  }

  @MainActor init(_ context: UIOpenURLContext, in scene: AppScene) {
    self.init(
      context.url, sourceApplication: context.options.sourceApplication,
      annotation: context.options.annotation.flatMap { PropertyValue($0) },
      opensInPlace: context.options.openInPlace, scene: scene)
    object = SystemObject(context)
  }
}

#if !os(tvOS)
extension QuickAction {
  @MainActor init(_ item: UIApplicationShortcutItem, in scene: AppScene? = nil) {
    self.init(
      type: item.type, title: item.localizedTitle, subtitle: item.localizedSubtitle,
      userInfo: [String: PropertyValue](userInfo: item.userInfo ?? [:]), scene: scene)
    object = SystemObject(item)
  }
}
#endif

extension UserNotification {
  /// Creates a payload from a `UILocalNotification`. The initializer reads the properties by key,
  /// because naming the deprecated class would cause a warning.
  init(uiLocalNotification notification: NSObject) {
    self.init(
      identifier: "", date: notification.value(forKey: "fireDate") as? Date,
      title: notification.value(forKey: "alertTitle") as? String ?? "",
      body: notification.value(forKey: "alertBody") as? String ?? "",
      userInfo: [String: PropertyValue](userInfo: notification.value(forKey: "userInfo") as? [AnyHashable: Any] ?? [:]))
  }
}

extension AppScene {
  @MainActor init(_ session: UISceneSession) {
    self.init(identifier: session.persistentIdentifier, role: Role(rawValue: session.role.rawValue))
  }

  @MainActor init(_ scene: UIScene) { self.init(scene.session) }
}

extension SceneConnection {
  @MainActor init(_ session: UISceneSession, _ options: UIScene.ConnectionOptions) {
    let scene = AppScene(session)
    self.init(
      scene, urls: options.urlContexts.inOrder.map { OpenedURL($0, in: scene) },
      userActivities: options.userActivities.sorted { $0.activityType < $1.activityType }
        .map { UserActivity($0, in: scene) },
      handoffUserActivityType: options.handoffUserActivityType,
      cloudKitShare: options.cloudKitShareMetadata.map { CloudKitShare($0, in: scene) },
      savedState: session.stateRestorationActivity.map { UserActivity($0, in: scene) },
      sourceApplication: options.sourceApplication)
    #if !os(tvOS)
    notificationResponse = options.notificationResponse.map { NotificationResponse($0) }
    quickAction = options.shortcutItem.map { QuickAction($0, in: scene) }
    #endif
  }
}
#endif
