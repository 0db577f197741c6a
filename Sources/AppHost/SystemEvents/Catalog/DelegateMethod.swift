import Lifecycle

/// A delegate's method that a system calls to report an event to an app.
package struct DelegateMethod: Sendable, Hashable {
  /// The protocol that declares the method.
  package enum Role: String, Sendable, CaseIterable {
    case application = "UIApplicationDelegate"
    /// The protocol for delegates of window scenes, including the methods that it inherits.
    case scene = "UIWindowSceneDelegate"
    case notificationCenter = "UNUserNotificationCenterDelegate"
    case desktopApplication = "NSApplicationDelegate"
    case watchApplication = "WKApplicationDelegate"
  }

  package let role: Role
  /// The Objective-C selector, such as `application:openURL:options:`.
  package let selector: String
  package let event: String
  /// A Boolean value that indicates whether a notification has the same information.
  ///
  /// If so, hooks observe the notification and don't wrap the method.
  package let isNotified: Bool
  /// A Boolean value that indicates whether the method's payload can contain a link. If it can,
  /// modules that subscribed to `Event.openLink` need the method as well.
  let carriesLinks: Bool

  static let linkEvent = "\(Event.openLink.id)"

  /// The events, besides `openLink`, that the reasons for a scene's connection can trigger: an
  /// accepted invitation to shared records and a quick action.
  private static let connectionEvents: Set<String> = [
    "\(Event.userDidAcceptCloudKitShare.id)", "\(AsyncEvent.performQuickAction.id)",
  ]

  static let backgroundWorkEvent = "\(AsyncEvent.finishInBackground.id)"

  /// Returns true if modules that subscribed to the given events need the method.
  package func isWanted(by events: Set<String>) -> Bool {
    events.contains(event) || (carriesLinks && events.contains(Self.linkEvent))
      || (event == "\(Event.sceneWillConnect.id)" && !events.isDisjoint(with: Self.connectionEvents))
  }

  /// Every method, in the order of the event catalog.
  package static let all = SystemEvent.all.flatMap(\.methods)

  package static func all(of role: Role) -> [DelegateMethod] { all.filter { $0.role == role } }

  /// A mapping from newer methods to the older ones that they replace.
  ///
  /// A system calls the older method only if the delegate lacks the newer one. Code that adds a
  /// newer method has to call the first older method that the delegate has.
  package static let older: [String: [String]] = [
    "application:didFinishLaunchingWithOptions:": ["applicationDidFinishLaunching:"],
    "application:openURL:options:": [
      "application:openURL:sourceApplication:annotation:", "application:handleOpenURL:",
    ],
    "application:didReceiveRemoteNotification:fetchCompletionHandler:": ["application:didReceiveRemoteNotification:"],
    "application:openURLs:": ["application:openFiles:", "application:openFile:"],
  ]
}
