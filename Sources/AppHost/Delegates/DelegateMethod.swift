import Lifecycle

/// A method by which a system tells an app something, and the event that stands for it.
package struct DelegateMethod: Sendable, Hashable {
  /// Whose delegate has the method.
  package enum Role: String, Sendable, Hashable, CaseIterable {
    /// `UIApplicationDelegate`
    case application = "UIApplicationDelegate"
    /// `UIWindowSceneDelegate`, with what it inherits.
    case scene = "UIWindowSceneDelegate"
    /// `UNUserNotificationCenterDelegate`
    case notificationCenter = "UNUserNotificationCenterDelegate"
    /// `NSApplicationDelegate`
    case desktopApplication = "NSApplicationDelegate"
  }

  package let role: Role
  /// Its name in Objective-C: `application:openURL:options:`.
  package let selector: String
  /// The id of the event.
  package let event: String
  /// Whether a notification tells all that the method does: hooks observe it then, and leave the delegate alone.
  package let isNotified: Bool

  private init(_ role: Role, _ selector: String, _ event: StaticString, isNotified: Bool) {
    self.role = role
    self.selector = selector
    self.event = "\(event)"
    self.isNotified = isNotified
  }

  private init<Payload, Outcome>(_ role: Role, _ selector: String, _ event: Event<Payload, Outcome>) {
    self.init(role, selector, event.id, isNotified: false)
  }

  private init<Payload, Outcome>(_ role: Role, _ selector: String, notified event: Event<Payload, Outcome>) {
    self.init(role, selector, event.id, isNotified: true)
  }

  private init<Payload, Outcome>(_ role: Role, _ selector: String, awaited event: AsyncEvent<Payload, Outcome>) {
    self.init(role, selector, event.id, isNotified: false)
  }

  /// The older methods that a system calls only where a delegate lacks a newer one, by that: whoever adds it calls them.
  package static let older: [String: [String]] = [
    "application:didFinishLaunchingWithOptions:": ["applicationDidFinishLaunching:"],
    "application:openURL:options:": [
      "application:openURL:sourceApplication:annotation:", "application:handleOpenURL:",
    ],
    "application:didReceiveRemoteNotification:fetchCompletionHandler:": ["application:didReceiveRemoteNotification:"],
    "application:openURLs:": ["application:openFiles:", "application:openFile:"],
  ]

  // MARK: - The table

  /// Every method, delegate by delegate.
  package static let all: [DelegateMethod] = application + scene + notificationCenter + desktopApplication

  /// The methods of one delegate.
  package static func all(of role: Role) -> [DelegateMethod] { all.filter { $0.role == role } }

  private static let application: [DelegateMethod] = [
    .init(.application, "application:didFinishLaunchingWithOptions:", .didFinishLaunching),
    .init(
      .application, "applicationDidBecomeActive:", notified: .didBecomeActive),
    .init(
      .application, "applicationWillResignActive:", notified: .willResignActive),
    .init(
      .application, "applicationDidEnterBackground:", notified: .didEnterBackground),
    .init(
      .application, "applicationWillEnterForeground:", notified: .willEnterForeground),
    .init(.application, "applicationWillTerminate:", notified: .willTerminate),
    .init(
      .application, "applicationDidReceiveMemoryWarning:", notified: .didReceiveMemoryWarning),
    .init(
      .application, "applicationSignificantTimeChange:", notified: .significantTimeDidChange),
    .init(
      .application, "applicationProtectedDataDidBecomeAvailable:", notified: .protectedDataDidBecomeAvailable),
    .init(
      .application, "applicationProtectedDataWillBecomeUnavailable:", notified: .protectedDataWillBecomeUnavailable),
    .init(.application, "application:openURL:options:", .openURL),
    .init(
      .application, "application:performActionForShortcutItem:completionHandler:", awaited: .performQuickAction),
    .init(
      .application, "application:didRegisterForRemoteNotificationsWithDeviceToken:",
      .didRegisterForRemoteNotifications),
    .init(
      .application, "application:didFailToRegisterForRemoteNotificationsWithError:",
      .didFailToRegisterForRemoteNotifications),
    .init(
      .application, "application:didReceiveRemoteNotification:fetchCompletionHandler:",
      awaited: .didReceiveRemoteNotification),
    .init(.application, "application:didReceiveLocalNotification:", .didReceiveLocalNotification),
    .init(.application, "application:willContinueUserActivityWithType:", .willContinueUserActivity),
    .init(.application, "application:continueUserActivity:restorationHandler:", .continueUserActivity),
    .init(
      .application, "application:didFailToContinueUserActivityWithType:error:", .didFailToContinueUserActivity),
    .init(.application, "application:didUpdateUserActivity:", .didUpdateUserActivity),
    .init(
      .application, "application:handleEventsForBackgroundURLSession:completionHandler:",
      awaited: .handleBackgroundURLSession),
    .init(.application, "application:handleWatchKitExtensionRequest:reply:", awaited: .handleWatchKitRequest),
  ]

  private static let scene: [DelegateMethod] = [
    .init(.scene, "scene:willConnectToSession:options:", .sceneWillConnect),
    .init(.scene, "sceneDidDisconnect:", notified: .sceneDidDisconnect),
    .init(.scene, "sceneDidBecomeActive:", notified: .sceneDidBecomeActive),
    .init(.scene, "sceneWillResignActive:", notified: .sceneWillResignActive),
    .init(.scene, "sceneWillEnterForeground:", notified: .sceneWillEnterForeground),
    .init(.scene, "sceneDidEnterBackground:", notified: .sceneDidEnterBackground),
    .init(.scene, "scene:openURLContexts:", .sceneOpenURL),
    .init(.scene, "scene:continueUserActivity:", .sceneContinueUserActivity),
    .init(
      .scene, "windowScene:performActionForShortcutItem:completionHandler:", awaited: .performQuickAction),
  ]

  private static let notificationCenter: [DelegateMethod] = [
    .init(
      .notificationCenter, "userNotificationCenter:willPresentNotification:withCompletionHandler:",
      awaited: .willPresentNotification),
    .init(
      .notificationCenter, "userNotificationCenter:didReceiveNotificationResponse:withCompletionHandler:",
      awaited: .didReceiveNotificationResponse),
  ]

  private static let desktopApplication: [DelegateMethod] = [
    .init(.desktopApplication, "applicationDidFinishLaunching:", .didFinishLaunching),
    .init(
      .desktopApplication, "applicationDidBecomeActive:", notified: .didBecomeActive),
    .init(
      .desktopApplication, "applicationWillResignActive:", notified: .willResignActive),
    .init(
      .desktopApplication, "applicationWillTerminate:", notified: .willTerminate),
    .init(
      .desktopApplication, "applicationProtectedDataDidBecomeAvailable:", notified: .protectedDataDidBecomeAvailable),
    .init(
      .desktopApplication, "applicationProtectedDataWillBecomeUnavailable:",
      notified: .protectedDataWillBecomeUnavailable),
    .init(.desktopApplication, "application:openURLs:", .openURL),
    .init(
      .desktopApplication, "application:didRegisterForRemoteNotificationsWithDeviceToken:",
      .didRegisterForRemoteNotifications),
    .init(
      .desktopApplication, "application:didFailToRegisterForRemoteNotificationsWithError:",
      .didFailToRegisterForRemoteNotifications),
    .init(
      .desktopApplication, "application:didReceiveRemoteNotification:", awaited: .didReceiveRemoteNotification),
    .init(.desktopApplication, "application:willContinueUserActivityWithType:", .willContinueUserActivity),
    .init(.desktopApplication, "application:continueUserActivity:restorationHandler:", .continueUserActivity),
    .init(
      .desktopApplication, "application:didFailToContinueUserActivityWithType:error:",
      .didFailToContinueUserActivity),
    .init(.desktopApplication, "application:didUpdateUserActivity:", .didUpdateUserActivity),
  ]
}
