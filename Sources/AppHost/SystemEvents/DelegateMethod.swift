/// A delegate's method by which a system reports an event to an app.
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
  /// The name in Objective-C, such as `application:openURL:options:`.
  package let selector: String
  /// The id of the event.
  package private(set) var event = ""
  /// A Boolean value that indicates whether a notification has the same information. Hooks then
  /// observe the notification and leave the delegate unchanged.
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

  /// Returns the method with the id of its event.
  func standing(for event: String) -> Self {
    var method = self
    method.event = event
    return method
  }

  /// Every method, in the order of ``SystemEvent/all``.
  package static let all = SystemEvent.all.flatMap(\.methods)

  /// Returns the methods of one protocol.
  package static func all(of role: Role) -> [DelegateMethod] { all.filter { $0.role == role } }

  /// A mapping from newer methods to the older ones that a system calls only where a delegate lacks
  /// the newer one. Code that adds a newer method calls the older ones.
  package static let older: [String: [String]] = [
    "application:didFinishLaunchingWithOptions:": ["applicationDidFinishLaunching:"],
    "application:openURL:options:": [
      "application:openURL:sourceApplication:annotation:", "application:handleOpenURL:",
    ],
    "application:didReceiveRemoteNotification:fetchCompletionHandler:": ["application:didReceiveRemoteNotification:"],
    "application:openURLs:": ["application:openFiles:", "application:openFile:"],
  ]
}
