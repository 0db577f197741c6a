/// A delegate's method through which a system reports an event to an app.
package struct DelegateMethod: Sendable, Hashable {
  /// The protocol that declares the method.
  package enum Role: String, Sendable, CaseIterable {
    case application = "UIApplicationDelegate"
    /// The protocol of window scenes, with the methods that it inherits.
    case scene = "UIWindowSceneDelegate"
    case notificationCenter = "UNUserNotificationCenterDelegate"
    case desktopApplication = "NSApplicationDelegate"
  }

  package let role: Role
  /// The selector in Objective-C.
  ///
  /// An example is `application:openURL:options:`.
  package let selector: String
  /// The identifier of the event.
  package private(set) var event = ""
  /// A Boolean value that indicates whether a notification has the same information.
  ///
  /// If so, hooks observe the notification and leave the delegate unchanged.
  package let isNotified: Bool

  static func application(_ selector: String, isNotified: Bool = false) -> Self {
    Self(role: .application, selector: selector, isNotified: isNotified)
  }

  static func scene(_ selector: String, isNotified: Bool = false) -> Self {
    Self(role: .scene, selector: selector, isNotified: isNotified)
  }

  static func notificationCenter(_ selector: String) -> Self {
    Self(role: .notificationCenter, selector: selector, isNotified: false)
  }

  static func desktopApplication(_ selector: String, isNotified: Bool = false) -> Self {
    Self(role: .desktopApplication, selector: selector, isNotified: isNotified)
  }

  /// Returns the method with the identifier of its event.
  func standing(for event: String) -> Self {
    var method = self
    method.event = event
    return method
  }

  /// Every method, in the order of the catalog of events.
  package static let all = SystemEvent.all.flatMap(\.methods)

  /// Returns the methods of one protocol.
  package static func all(of role: Role) -> [DelegateMethod] { all.filter { $0.role == role } }

  /// A mapping from newer methods to the older ones that a delegate without them receives.
  ///
  /// A system calls the older method only if the delegate lacks the newer one. Code that adds a
  /// newer method therefore calls the older ones.
  package static let older: [String: [String]] = [
    "application:didFinishLaunchingWithOptions:": ["applicationDidFinishLaunching:"],
    "application:openURL:options:": [
      "application:openURL:sourceApplication:annotation:", "application:handleOpenURL:",
    ],
    "application:didReceiveRemoteNotification:fetchCompletionHandler:": ["application:didReceiveRemoteNotification:"],
    "application:openURLs:": ["application:openFiles:", "application:openFile:"],
  ]
}
