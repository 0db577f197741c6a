public import Foundation
public import Lifecycle
import Registry

/// A link that the app should open, regardless of how the system reports it.
public struct AppLink: Sendable {
  /// The reason that the app opens a link, with the payload of the corresponding event.
  @nonexhaustive public enum Source: Sendable, Hashable {
    /// A link with the app's own scheme, or a file.
    case url(OpenedURL)
    /// A link to the app's website.
    case universalLink(UserActivity)
    /// An activity that the user continues from another device, from Siri, or from a widget.
    case handoff(UserActivity)
    /// A Spotlight search result.
    case spotlight(UserActivity)
    /// A quick action on the app's icon.
    case quickAction(QuickAction)
    /// A notification that the user opened.
    case notification(NotificationResponse)
  }

  public var url: URL
  public var source: Source
  /// The scene that the system chose to open the link, if it reports one.
  public var scene: AppScene?
  /// The system's object that the link was read from.
  package var object = SystemObject(nil)

  /// Creates a link.
  ///
  /// - Parameters:
  ///   - url: The link.
  ///   - source: The reason that the app opens the link. If it's nil, an `http` or `https` URL is a
  ///     universal link, and any other URL is a file or a link with the app's own scheme.
  ///   - scene: The scene that should open the link. If it's nil, the link has the scene of the
  ///     source's payload.
  public init(_ url: URL, source: Source? = nil, scene: AppScene? = nil) {
    self.url = url
    self.source = source ?? Self.source(of: OpenedURL(url))
    self.scene = scene ?? self.source.payload.scene
  }

  /// Creates a link from a system's payload, or returns nil if the payload contains no link.
  ///
  /// The link is the opened URL, or the web page of an activity. Otherwise, it's the text under
  /// `key` in the user info of the activity, the quick action, or the opened notification. For a
  /// search result, it can also be the identifier of the item. Notification actions other than
  /// opening don't open a link.
  package init?(_ source: Source, key: String = "url", scene: AppScene? = nil) {
    func link(in userInfo: [String: PropertyValue]) -> URL? { Self.url(userInfo[key]) }
    let url: URL? =
      switch source {
      case .url(let opened): opened.url
      case .universalLink(let activity), .handoff(let activity):
        activity.webpageURL ?? link(in: activity.userInfo)
      case .spotlight(let activity):
        activity.webpageURL ?? link(in: activity.userInfo) ?? Self.url(activity.userInfo[Self.spotlightIdentifier])
      case .quickAction(let action): link(in: action.userInfo)
      case .notification(let response):
        response.action == .open ? link(in: response.notification.userInfo) : nil
      }
    guard let url else { return nil }
    self.init(url, source: source, scene: scene)
  }

  /// The user activity of a universal link, Handoff, or Spotlight; nil for any other link.
  public var userActivity: UserActivity? { source.payload as? UserActivity }

  /// The system's object that the link was read from, or nil.
  ///
  /// On Apple systems, it's a `UIOpenURLContext`, an `NSUserActivity`, a
  /// `UIApplicationShortcutItem`, or a `UNNotificationResponse`. SwiftUI's `onOpenURL` and the app
  /// delegates' methods for URLs report links without an object.
  @MainActor public var systemObject: AnyObject? { object.value }

  // MARK: - Reading links

  /// `CSSearchableItemActivityIdentifier`, the key of a search result's identifier in user info.
  private static let spotlightIdentifier = "kCSSearchableItemActivityIdentifier"

  static func source(of opened: OpenedURL) -> Source {
    guard ["https", "http"].contains(opened.url.scheme?.lowercased()) else { return .url(opened) }
    return .universalLink(UserActivity(type: UserActivity.browsingWeb, webpageURL: opened.url, scene: opened.scene))
  }

  private static func url(_ value: PropertyValue?) -> URL? {
    // An identifier without a scheme, such as `order-7`, is a relative URL but not a link.
    guard let text = value?.string, let url = URL(string: text), url.scheme != nil else { return nil }
    return url
  }
}

extension AppLink.Source {
  init(_ activity: UserActivity) {
    switch activity.type {
    case UserActivity.browsingWeb: self = .universalLink(activity)
    case UserActivity.spotlight: self = .spotlight(activity)
    default: self = .handoff(activity)
    }
  }

  var payload: any ObjectPayload {
    switch self {
    case .url(let opened): opened
    case .universalLink(let activity), .handoff(let activity), .spotlight(let activity): activity
    case .quickAction(let action): action
    case .notification(let response): response
    }
  }

}

/// A payload with a scene and the system's object that its values were read from.
protocol ObjectPayload {
  var scene: AppScene? { get }
  var object: SystemObject { get set }
}

/// A system object that's used only on the main actor.
// Unchecked because only the main actor reads the object.
package struct SystemObject: @unchecked Sendable, Hashable {
  private let object: AnyObject?

  package init(_ object: AnyObject?) {
    self.object = object
  }

  @MainActor package var value: AnyObject? { object }

  package var exists: Bool { object != nil }

  // Ignore the objects: payloads are equal if the values read from them are equal.
  package static func == (one: Self, other: Self) -> Bool { true }
  package func hash(into hasher: inout Hasher) {}
}

extension Event where Payload == AppLink, Outcome == Void {
  /// An event that is triggered when the app should open a link.
  ///
  /// It's triggered once for each link, even if the system reports the link to several delegates
  /// and views, and whether or not the app is already running. It waits until the modules are
  /// ready.
  ///
  /// UIKit: `scene(_:willConnectTo:options:)`, `scene(_:openURLContexts:)`, `scene(_:continue:)`,
  /// `windowScene(_:performActionFor:completionHandler:)`, and the corresponding methods of the
  /// app's delegate. AppKit: `application(_:open:)`, `application(_:continue:restorationHandler:)`.
  /// SwiftUI: `onOpenURL`, `onContinueUserActivity`. WatchKit: `handle(_:)`. UserNotifications:
  /// `userNotificationCenter(_:didReceive:withCompletionHandler:)`.
  public static var openLink: Self { .init("app.openLink") }
}
