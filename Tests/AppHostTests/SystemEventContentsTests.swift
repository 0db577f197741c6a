import AppHost
import Foundation
import Lifecycle
import Registry
import Testing

@Suite struct SystemEventContentsTests {
  private let link = URL(string: "shop://cart")!

  private func contents(_ payload: Any) -> SystemEventContents {
    var contents = SystemEventContents(event: "test")
    let isKnown = contents.add(payload)
    #expect(isKnown)
    return contents
  }

  @Test func `the contents of a link include the requesting app`() {
    let it = contents(OpenedURL(link, sourceApplication: "mail", annotation: ["a": 1], opensInPlace: true))
    #expect(
      it.link.url == link && it.link.sourceApplication == "mail" && it.link.annotation == ["a": 1]
        && it.link.opensInPlace)
    #expect(it.event == "test" && it.userInfo == nil)
  }

  @Test func `the contents of notifications include their text and the chosen action`() {
    let notification = UserNotification(
      identifier: "n", isRemote: true, date: Date(timeIntervalSince1970: 7), title: "Hello", subtitle: "there",
      body: "Bye", category: "news", userInfo: ["id": 1])
    let shown = contents(notification)
    #expect(
      shown.identifier == "n" && shown.text.title == "Hello" && shown.text.subtitle == "there"
        && shown.text.body == "Bye")
    #expect(
      shown.notification.category == "news" && shown.notification.isRemote && shown.userInfo == ["id": 1]
        && shown.notification.action == nil)
    #expect(shown.notification.date == Date(timeIntervalSince1970: 7))
    for (action, name) in [
      (NotificationResponse.Action.open, "com.apple.UNNotificationDefaultActionIdentifier"),
      (.dismiss, "com.apple.UNNotificationDismissActionIdentifier"), (.custom("reply"), "reply"),
    ] {
      let response = contents(NotificationResponse(notification, action: action, text: "Yes"))
      #expect(
        response.notification.action == name && response.notification.responseText == "Yes"
          && response.identifier == "n")
    }
    #expect(!UserNotification(identifier: "1").isRemote)
    let remote = contents(RemoteNotification(userInfo: ["a": 1]))
    #expect(remote.userInfo == ["a": 1] && remote.notification.isRemote)
    let local = contents(UserNotification(identifier: "", title: "Now", body: "It is time", userInfo: ["b": 2]))
    #expect(
      local.text.title == "Now" && local.text.body == "It is time" && local.userInfo == ["b": 2]
        && !local.notification.isRemote)
    #expect(contents(Data([1, 2])).deviceToken == Data([1, 2]))
  }

  @Test func `the contents of a link include its scene and what the source contains`() {
    let scene = AppScene(identifier: "s")
    let action = QuickAction(type: "order", title: "Order", userInfo: ["url": "shop://cart"])
    let quick = contents(AppLink(link, source: .quickAction(action), scene: scene))
    #expect(quick.link.url == link && quick.quickAction == "order" && quick.scene == scene)
    let inScene = QuickAction(type: "order", scene: scene)
    #expect(contents(inScene).scene == scene)
    #expect(contents(AppLink(link, source: .quickAction(inScene))).scene == scene)
    let answered = NotificationResponse(UserNotification(identifier: "n"), scene: scene)
    #expect(contents(answered).scene == scene)
    #expect(contents(AppLink(link, source: .notification(answered))).scene == scene)
    let activity = UserActivity(type: "reading", title: "Page", userInfo: ["url": "shop://cart"])
    let continued = contents(AppLink(link, source: .handoff(activity)))
    #expect(continued.link.url == link && continued.activityType == "reading" && continued.scene == nil)
    let opened = contents(AppLink(link, source: .url(OpenedURL(link, sourceApplication: "mail"))))
    #expect(opened.link.url == link && opened.link.sourceApplication == "mail")
    let response = NotificationResponse(UserNotification(identifier: "n", userInfo: ["url": "shop://cart"]))
    #expect(contents(AppLink(link, source: .notification(response))).identifier == "n")
  }

  @Test @MainActor func `the object of the system is available and does not affect equality`() {
    final class Object {}
    let object = Object()
    var activity = UserActivity(type: "reading", referrerURL: link)
    #expect(activity.systemObject == nil && activity.referrerURL == link)
    activity.object = SystemObject(object)
    #expect(activity.systemObject === object)
    #expect(activity == UserActivity(type: "reading", referrerURL: link))
    #expect(activity.hashValue == UserActivity(type: "reading", referrerURL: link).hashValue)
    #expect(activity != UserActivity(type: "reading"))
    var notification = UserNotification(identifier: "n")
    #expect(notification.systemObject == nil)
    notification.object = SystemObject(object)
    #expect(notification.systemObject === object && notification == UserNotification(identifier: "n"))
  }

  @Test func `the contents of a launch include its reason`() {
    let launch = LaunchOptions(
      url: OpenedURL(link, sourceApplication: "mail"), notification: RemoteNotification(userInfo: ["n": 1]),
      quickAction: QuickAction(type: "search", title: "Search", userInfo: ["q": 1]), userActivityType: "reading",
      others: ["location": true])
    let it = contents(launch)
    #expect(it.link.url == link && it.quickAction == "search" && it.activityType == "reading")
    #expect(it.userInfo == ["n": 1] && it.notification.isRemote && it.launchOptions == ["location": true])
    #expect(contents(LaunchOptions()).launchOptions == [:])
  }

  @Test func `the contents of activities and scenes include their types`() {
    let scene = AppScene(identifier: "s", role: AppScene.Role(rawValue: "car"))
    let activity = UserActivity(
      type: "reading", title: "Page", webpageURL: link, userInfo: ["page": 7], scene: scene)
    let continued = contents(activity)
    #expect(
      continued.activityType == "reading" && continued.webpageURL == link && continued.userInfo == ["page": 7]
    )
    #expect(continued.scene?.identifier == "s" && continued.scene?.role.rawValue == "car")
    #expect(continued.text.title == "Page" && contents(scene).scene?.identifier == "s")
    let opened = contents(OpenedURL(link, scene: scene))
    #expect(opened.link.url == link && opened.scene?.identifier == "s")
    let failure = contents(UserActivityFailure(type: "reading", error: CancellationError(), scene: scene))
    #expect(failure.activityType == "reading" && failure.scene == scene && failure.error is CancellationError)
    let share = contents(CloudKitShare(containerIdentifier: "iCloud.shop", scene: scene))
    #expect(share.identifier == "iCloud.shop" && share.scene == scene)
    let connection = contents(
      SceneConnection(
        scene, urls: [OpenedURL(link, sourceApplication: "a")], userActivities: [activity], sourceApplication: "b"))
    #expect(
      connection.link.url == link && connection.activityType == "reading" && connection.link.sourceApplication == "b")
    #expect(connection.scene?.identifier == "s")
    let fetched = contents(SceneConnection(scene, handoffUserActivityType: "reading"))
    #expect(fetched.activityType == "reading" && fetched.webpageURL == nil && fetched.scene == scene)
    // The contents have room for one link and one activity, so they keep the first of each.
    let other = UserActivity(type: "writing")
    let whole = contents(
      SceneConnection(
        scene, urls: [OpenedURL(link), OpenedURL(URL(string: "shop://other")!)], userActivities: [activity, other],
        notificationResponse: NotificationResponse(UserNotification(identifier: "n"), action: .open),
        quickAction: QuickAction(type: "search")))
    #expect(whole.link.url == link && whole.activityType == "reading")
    #expect(whole.identifier == "n" && whole.quickAction == "search" && whole.link.sourceApplication == nil)
    #expect(whole.scene == scene, "the response has none")
    let requested = contents(SceneConnection(scene, urls: [OpenedURL(link, sourceApplication: "a")]))
    #expect(requested.link.sourceApplication == "a")
    let action = contents(QuickAction(type: "search", title: "Search", subtitle: "all", userInfo: ["q": 1]))
    #expect(action.quickAction == "search" && action.text.title == "Search" && action.text.subtitle == "all")
  }

  @Test func `a setting has the value of its own type`() {
    let setting: PropertyValue = ["a": [true, 1, 0.5, "x", nil], "b": ["c": 2]]
    #expect(setting == ["a": [true, 1, 0.5, "x", nil], "b": ["c": 2]])
  }

  @Test func `a string names a removed module or a background session`() {
    var removed = SystemEventContents(event: "modules.didUnregister")
    var session = SystemEventContents(event: "background.handleURLSession")
    let areKnown = [removed.add("Shop.Cart"), session.add("uploads")]
    #expect(areKnown == [true, true])
    #expect(removed.module == "Shop.Cart" && removed.identifier == nil)
    #expect(session.identifier == "uploads" && session.module == nil)
  }

  @Test func `a payload with an ambiguous type is rejected`() {
    var contents = SystemEventContents(event: "test")
    let (text, nothing) = (contents.add("text"), contents.add(()))
    #expect(!text && nothing && contents.activityType == nil && contents.identifier == nil)
  }
}
