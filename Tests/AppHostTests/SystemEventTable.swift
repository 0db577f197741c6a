import AppHost
import Foundation
import Lifecycle
import Registry

private struct Refused: Error {}

private let url = OpenedURL(
  URL(string: "shop://cart/7")!, sourceApplication: "com.example.mail", annotation: ["a": 1], opensInPlace: true)
private let action = QuickAction(type: "search", title: "Search", subtitle: "Everywhere", userInfo: ["from": "icon"])
private let remote = RemoteNotification(userInfo: ["aps": ["alert": "Hello", "badge": 3]])
private let notification = UserNotification(
  identifier: "n1", isRemote: true, date: Date(timeIntervalSince1970: 7), title: "Hello", subtitle: "there",
  body: "Bye", category: "news", thread: "t", userInfo: ["id": 1])
private let activity = UserActivity(
  type: UserActivity.browsingWeb, title: "Cart", webpageURL: URL(string: "https://example.com/cart"),
  userInfo: ["id": 7])
private let scene = AppScene(identifier: "s1", role: .externalDisplay)

private let either = [(false, false, false), (true, false, true), (false, true, true), (true, true, true)]

extension SystemEventRow {
  static let all: [SystemEventRow] = modules + application + notifications + userActivity + background + scenes

  private static let modules: [SystemEventRow] = [
    SystemEventRow("modulesDidSetUp", .modulesDidSetUp, ()) { try $0.modules.start() },
    SystemEventRow("modulesDidInitialize", .modulesDidInitialize, ()) { try $0.modules.start() },
    SystemEventRow("modulesDidFinishStarting", .modulesDidFinishStarting, ()) {
      try $0.modules.start()
      await $0.modules.waitUntilIdle()
    },
    SystemEventRow("modulesWillTearDown", .modulesWillTearDown, ()) {
      try $0.modules.start()
      $0.modules.stop()
    },
    SystemEventRow("moduleDidUnmount", .moduleDidUnmount, "AppHostTests.Departing") {
      $0.modules.register(Departing.self)
      try $0.modules.start()
      $0.modules.unregister(Departing.self)
    },
  ]

  private static let launch = LaunchOptions(
    url: url, notification: remote, quickAction: action, userActivityType: "reading", others: ["key": true])

  private static let application: [SystemEventRow] = [
    SystemEventRow(
      "didFinishLaunching", .didFinishLaunching, launch,
      [(true, true, true), (true, false, false), (false, true, false), (false, false, false)]
    ) { $0.didFinishLaunching(launch) },
    SystemEventRow("didBecomeActive", .didBecomeActive, ()) { $0.didBecomeActive() },
    SystemEventRow("willResignActive", .willResignActive, ()) { $0.willResignActive() },
    SystemEventRow("didEnterBackground", .didEnterBackground, ()) { $0.didEnterBackground() },
    SystemEventRow("willEnterForeground", .willEnterForeground, ()) { $0.willEnterForeground() },
    SystemEventRow("willTerminate", .willTerminate, ()) { $0.willTerminate() },
    SystemEventRow("didReceiveMemoryWarning", .didReceiveMemoryWarning, ()) { $0.didReceiveMemoryWarning() },
    SystemEventRow("significantTimeDidChange", .significantTimeDidChange, ()) { $0.significantTimeDidChange() },
    SystemEventRow("protectedDataDidBecomeAvailable", .protectedDataDidBecomeAvailable, ()) {
      $0.protectedDataDidBecomeAvailable()
    },
    SystemEventRow("protectedDataWillBecomeUnavailable", .protectedDataWillBecomeUnavailable, ()) {
      $0.protectedDataWillBecomeUnavailable()
    },
    SystemEventRow("openURL", .openURL, url, either) { $0.open(url) },
    SystemEventRow("performQuickAction", .performQuickAction, action, either) { $0.perform(action, completion: $1) },
  ]

  private static let notifications: [SystemEventRow] = [
    SystemEventRow("didRegisterForRemoteNotifications", .didRegisterForRemoteNotifications, Data([1, 2, 3])) {
      $0.didRegisterForRemoteNotifications(deviceToken: Data([1, 2, 3]))
    },
    SystemEventRow("didFailToRegisterForRemoteNotifications", .didFailToRegisterForRemoteNotifications, Refused()) {
      $0.didFailToRegisterForRemoteNotifications(Refused())
    },
    SystemEventRow(
      "didReceiveRemoteNotification", .didReceiveRemoteNotification, remote,
      [
        (.noData, .noData, .noData), (.noData, .failed, .failed), (.failed, .noData, .failed),
        (.failed, .newData, .newData), (.newData, .failed, .newData), (.newData, .noData, .newData),
      ]
    ) { $0.didReceive(remote, completion: $1) },
    SystemEventRow(
      "didReceiveLocalNotification", .didReceiveLocalNotification,
      LocalNotification(title: "Now", body: "It is time", fireDate: Date(timeIntervalSince1970: 9), userInfo: ["id": 2])
    ) {
      $0.didReceive(
        LocalNotification(
          title: "Now", body: "It is time", fireDate: Date(timeIntervalSince1970: 9), userInfo: ["id": 2]))
    },
    SystemEventRow(
      "willPresentNotification", .willPresentNotification, notification,
      [([], [], []), ([.sound], [.banner, .list], [.sound, .banner, .list]), ([.badge], [.badge], [.badge])]
    ) { $0.willPresent(notification, completion: $1) },
    SystemEventRow(
      "didReceiveNotificationResponse", .didReceiveNotificationResponse,
      NotificationResponse(notification, action: .custom("reply"), text: "Yes"), [((), (), ())]
    ) { host, completion in
      host.didReceive(NotificationResponse(notification, action: .custom("reply"), text: "Yes")) { completion(()) }
    },
  ]

  private static let userActivity: [SystemEventRow] = [
    SystemEventRow("willContinueUserActivity", .willContinueUserActivity, "reading", either) {
      $0.willContinueUserActivity(type: "reading")
    },
    SystemEventRow("continueUserActivity", .continueUserActivity, activity, either) { $0.continue(activity) },
    SystemEventRow(
      "didFailToContinueUserActivity", .didFailToContinueUserActivity,
      UserActivityFailure(type: "reading", error: Refused())
    ) { $0.didFailToContinueUserActivity(type: "reading", error: Refused()) },
    SystemEventRow("didUpdateUserActivity", .didUpdateUserActivity, activity) { $0.didUpdate(activity) },
  ]

  private static let background: [SystemEventRow] = [
    SystemEventRow("handleBackgroundURLSession", .handleBackgroundURLSession, "downloads", [((), (), ())]) {
      host, completion in host.handleBackgroundURLSession("downloads") { completion(()) }
    },
    SystemEventRow(
      "handleWatchKitRequest", .handleWatchKitRequest, ["ask": 1],
      [(nil, nil, nil), (nil, ["b": 2], ["b": 2]), (["a": 1], ["b": 2], ["a": 1]), (["a": 1], nil, ["a": 1])]
    ) { $0.handleWatchKitRequest(["ask": 1], reply: $1) },
  ]

  private static let connection = SceneConnection(
    scene, urls: [url], userActivities: [activity], notificationResponse: NotificationResponse(notification),
    quickAction: action, sourceApplication: "com.example.mail")

  private static let scenes: [SystemEventRow] = [
    SystemEventRow("sceneWillConnect", .sceneWillConnect, connection) { $0.sceneWillConnect(connection) },
    SystemEventRow("sceneDidDisconnect", .sceneDidDisconnect, scene) { $0.sceneDidDisconnect(scene) },
    SystemEventRow("sceneDidBecomeActive", .sceneDidBecomeActive, scene) { $0.sceneDidBecomeActive(scene) },
    SystemEventRow("sceneWillResignActive", .sceneWillResignActive, scene) { $0.sceneWillResignActive(scene) },
    SystemEventRow("sceneWillEnterForeground", .sceneWillEnterForeground, scene) {
      $0.sceneWillEnterForeground(scene)
    },
    SystemEventRow("sceneDidEnterBackground", .sceneDidEnterBackground, scene) { $0.sceneDidEnterBackground(scene) },
    SystemEventRow("sceneOpenURL", .sceneOpenURL, SceneURL(scene, url), either) { $0.scene(scene, open: url) },
    SystemEventRow("sceneContinueUserActivity", .sceneContinueUserActivity, SceneUserActivity(scene, activity), either)
    {
      $0.scene(scene, continue: activity)
    },
  ]
}
