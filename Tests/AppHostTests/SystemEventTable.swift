import AppHost
import Foundation
import Lifecycle
import Registry

private struct Refused: Error {}

private let url = OpenedURL(
  URL(string: "shop://cart/7")!, sourceApplication: "com.example.mail", annotation: ["a": 1], opensInPlace: true,
  scene: scene)
private let action = QuickAction(
  type: "search", title: "Search", subtitle: "Everywhere", userInfo: ["from": "icon"], scene: scene)
private let remote = RemoteNotification(userInfo: ["aps": ["alert": "Hello", "badge": 3]])
private let notification = UserNotification(
  identifier: "n1", isRemote: true, date: Date(timeIntervalSince1970: 7), title: "Hello", subtitle: "there",
  body: "Bye", category: "news", thread: "t", userInfo: ["id": 1])
private let activity = UserActivity(
  type: UserActivity.browsingWeb, title: "Cart", webpageURL: URL(string: "https://example.com/cart"),
  userInfo: ["id": 7], scene: scene)
private let share = CloudKitShare(containerIdentifier: "iCloud.com.example.shop", scene: scene)
private let scene = AppScene(identifier: "s1", role: AppScene.Role(rawValue: "display"))

private let either = [(false, false, false), (true, false, true), (false, true, true), (true, true, true)]

extension SystemEventRow {
  static let all: [SystemEventRow] = modules + application + notifications + userActivity + background + scenes

  private static let modules: [SystemEventRow] = [
    SystemEventRow("modulesDidSetUp", .modulesDidSetUp, ()) { try $0.start() },
    SystemEventRow("modulesDidInitialize", .modulesDidInitialize, ()) { try $0.start() },
    SystemEventRow("modulesDidFinishStarting", .modulesDidFinishStarting, ()) {
      try $0.start()
      await $0.waitUntilIdle()
    },
    SystemEventRow("modulesWillTearDown", .modulesWillTearDown, ()) {
      try $0.start()
      $0.stop()
    },
    SystemEventRow("moduleDidUnregister", .moduleDidUnregister, "AppHostTests.Departing") {
      $0.register(Departing.self)
      try $0.start()
      $0.unregister(Departing.self)
    },
  ]

  private static let launch = LaunchOptions(
    url: url, notification: remote, quickAction: action, userActivityType: "reading", others: ["key": true])

  private static let link = AppLink(url.url, source: .url(url), scene: scene)

  private static let application: [SystemEventRow] = [
    SystemEventRow(
      "didFinishLaunching", .didFinishLaunching, launch,
      [(true, true, true), (true, false, false), (false, true, false), (false, false, false)]
    ),
    SystemEventRow("didBecomeActive", .didBecomeActive, ()),
    SystemEventRow("willResignActive", .willResignActive, ()),
    SystemEventRow("didEnterBackground", .didEnterBackground, ()),
    SystemEventRow("willEnterForeground", .willEnterForeground, ()),
    SystemEventRow("willTerminate", .willTerminate, ()),
    SystemEventRow("didReceiveMemoryWarning", .didReceiveMemoryWarning, ()),
    SystemEventRow("significantTimeDidChange", .significantTimeDidChange, ()),
    SystemEventRow("protectedDataDidBecomeAvailable", .protectedDataDidBecomeAvailable, ()),
    SystemEventRow("protectedDataWillBecomeUnavailable", .protectedDataWillBecomeUnavailable, ()),
    SystemEventRow("openURL", .openURL, url, either),
    SystemEventRow("performQuickAction", .performQuickAction, action, either),
    SystemEventRow("openLink", .openLink, link),
  ]

  private static let notifications: [SystemEventRow] = [
    SystemEventRow("didRegisterForRemoteNotifications", .didRegisterForRemoteNotifications, Data([1, 2, 3])),
    SystemEventRow("didFailToRegisterForRemoteNotifications", .didFailToRegisterForRemoteNotifications, Refused()),
    SystemEventRow(
      "didReceiveRemoteNotification", .didReceiveRemoteNotification, remote,
      [
        (.noData, .noData, .noData), (.noData, .failed, .failed), (.failed, .noData, .failed),
        (.failed, .newData, .newData), (.newData, .failed, .newData), (.newData, .noData, .newData),
      ]
    ),
    SystemEventRow(
      "didReceiveLocalNotification", .didReceiveLocalNotification,
      UserNotification(
        identifier: "", date: Date(timeIntervalSince1970: 9), title: "Now", body: "It is time", userInfo: ["id": 2])
    ),
    SystemEventRow(
      "willPresentNotification", .willPresentNotification, notification,
      [([], [], []), ([.sound], [.banner, .list], [.sound, .banner, .list]), ([.badge], [.badge], [.badge])]
    ),
    SystemEventRow(
      "didReceiveNotificationResponse", .didReceiveNotificationResponse,
      NotificationResponse(notification, action: .custom("reply"), text: "Yes"), [((), (), ())]
    ),
  ]

  private static let userActivity: [SystemEventRow] = [
    SystemEventRow(
      "willContinueUserActivity", .willContinueUserActivity, UserActivity(type: "reading", scene: scene), either),
    SystemEventRow("continueUserActivity", .continueUserActivity, activity, either),
    SystemEventRow(
      "didFailToContinueUserActivity", .didFailToContinueUserActivity,
      UserActivityFailure(type: "reading", error: Refused(), scene: scene)
    ),
    SystemEventRow("didUpdateUserActivity", .didUpdateUserActivity, activity),
    SystemEventRow("userDidAcceptCloudKitShare", .userDidAcceptCloudKitShare, share),
  ]

  private static let background: [SystemEventRow] = [
    SystemEventRow("finishInBackground", .finishInBackground, (), [((), (), ())]),
    SystemEventRow("handleBackgroundURLSession", .handleBackgroundURLSession, "downloads", [((), (), ())]),
  ]

  private static let connection = SceneConnection(
    scene, urls: [url], userActivities: [activity], notificationResponse: NotificationResponse(notification),
    quickAction: action, sourceApplication: "com.example.mail")

  private static let scenes: [SystemEventRow] = [
    SystemEventRow("sceneWillConnect", .sceneWillConnect, connection),
    SystemEventRow("sceneDidDisconnect", .sceneDidDisconnect, scene),
    SystemEventRow("sceneWasDiscarded", .sceneWasDiscarded, scene),
    SystemEventRow("sceneDidBecomeActive", .sceneDidBecomeActive, scene),
    SystemEventRow("sceneWillResignActive", .sceneWillResignActive, scene),
    SystemEventRow("sceneWillEnterForeground", .sceneWillEnterForeground, scene),
    SystemEventRow("sceneDidEnterBackground", .sceneDidEnterBackground, scene),
    SystemEventRow(
      "sceneSaveState", .sceneSaveState, scene,
      [
        (nil, nil, nil), (nil, activity, activity), (activity, nil, activity),
        (
          UserActivity(type: "a", title: "A", userInfo: ["id": 1, "tab": 2]),
          UserActivity(type: "b", title: "B", userInfo: ["id": 3, "page": 4]),
          UserActivity(type: "a", title: "A", userInfo: ["id": 1, "tab": 2, "page": 4])
        ),
      ]
    ),
    SystemEventRow("sceneRestoreState", .sceneRestoreState, activity),
  ]
}
