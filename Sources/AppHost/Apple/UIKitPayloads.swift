#if canImport(UIKit) && !os(watchOS)
import Foundation
import Registry
import UIKit

// The payloads of events for the values that UIKit passes to delegates.

extension LaunchOptions {
  /// Creates the value that represents the options of a launch in UIKit.
  @MainActor init(_ options: [UIApplication.LaunchOptionsKey: Any]?) {
    var rest = options ?? [:]
    let url = rest.removeValue(forKey: .url) as? URL
    let source = rest.removeValue(forKey: .sourceApplication) as? String
    #if os(tvOS)
    let (remote, action): ([AnyHashable: Any]?, QuickAction?) = (nil, nil)
    #else
    let remote = rest.removeValue(forKey: .remoteNotification) as? [AnyHashable: Any]
    let action = (rest.removeValue(forKey: .shortcutItem) as? UIApplicationShortcutItem).map { QuickAction($0) }
    #endif
    let activity = rest.removeValue(forKey: .userActivityDictionary) as? [AnyHashable: Any]
    var others: [String: PropertyValue] = [:]
    for (key, value) in rest { others[key.rawValue] = PropertyValue(value) }
    self.init(
      url: url.map { OpenedURL($0, sourceApplication: source) },
      notification: remote.map { RemoteNotification(userInfo: [String: PropertyValue](userInfo: $0)) },
      quickAction: action,
      userActivityType: activity?[UIApplication.LaunchOptionsKey.userActivityType.rawValue] as? String, others: others)
  }
}

extension OpenedURL {
  /// Creates the value that represents a link with its options in UIKit.
  init(_ url: URL, _ options: [UIApplication.OpenURLOptionsKey: Any]) {
    self.init(
      url, sourceApplication: options[.sourceApplication] as? String,
      annotation: options[.annotation].flatMap { PropertyValue($0) },
      opensInPlace: options[.openInPlace] as? Bool ?? false)
  }

  /// Creates the value that represents a link that a scene of UIKit should open.
  @MainActor init(_ context: UIOpenURLContext) {
    self.init(
      context.url, sourceApplication: context.options.sourceApplication,
      annotation: context.options.annotation.flatMap { PropertyValue($0) },
      opensInPlace: context.options.openInPlace)
  }
}

#if !os(tvOS)
extension QuickAction {
  @MainActor init(_ item: UIApplicationShortcutItem) {
    self.init(
      type: item.type, title: item.localizedTitle, subtitle: item.localizedSubtitle,
      userInfo: [String: PropertyValue](userInfo: item.userInfo ?? [:]))
  }
}
#endif

extension AppScene {
  @MainActor init(_ session: UISceneSession) {
    self.init(identifier: session.persistentIdentifier, role: Role(rawValue: session.role.rawValue))
  }
}

extension SceneConnection {
  /// Creates the value that represents a scene of UIKit with its connection options.
  @MainActor init(_ session: UISceneSession, _ options: UIScene.ConnectionOptions) {
    #if os(tvOS)
    let (response, action): (NotificationResponse?, QuickAction?) = (nil, nil)
    #else
    let response = options.notificationResponse.map { NotificationResponse($0) }
    let action = options.shortcutItem.map { QuickAction($0) }
    #endif
    self.init(
      AppScene(session), urls: OpenedURL.all(of: options.urlContexts),
      userActivities: options.userActivities.map { UserActivity($0) }.sorted { $0.type < $1.type },
      notificationResponse: response, quickAction: action, sourceApplication: options.sourceApplication)
  }
}

extension FetchResult {
  init(_ result: UIBackgroundFetchResult) {
    switch result {
    case .newData: self = .newData
    case .failed: self = .failed
    case .noData: self = .noData
    @unknown default: self = .noData
    }
  }

  var result: UIBackgroundFetchResult {
    switch self {
    case .newData: .newData
    case .noData: .noData
    case .failed: .failed
    }
  }
}
#endif
