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
    let local = contents(LocalNotification(title: "Now", body: "It is time", userInfo: ["b": 2]))
    #expect(
      local.text.title == "Now" && local.text.body == "It is time" && local.userInfo == ["b": 2]
        && !local.notification.isRemote)
    #expect(contents(Data([1, 2])).deviceToken == Data([1, 2]))
  }

  @Test func `the contents of a launch include its reason`() {
    let launch = LaunchOptions(
      url: OpenedURL(link, sourceApplication: "mail"), notification: RemoteNotification(userInfo: ["n": 1]),
      quickAction: QuickAction(type: "search", title: "Search", userInfo: ["q": 1]), userActivityType: "reading",
      others: ["location": true])
    let it = contents(launch)
    #expect(it.link.url == link && it.quickAction == "search" && it.activity.type == "reading")
    #expect(it.userInfo == ["n": 1] && it.notification.isRemote && it.launchOptions == ["location": true])
    #expect(contents(LaunchOptions()).launchOptions == [:])
  }

  @Test func `the contents of activities and scenes include their types`() {
    let activity = UserActivity(type: "reading", title: "Page", webpageURL: link, userInfo: ["page": 7])
    let scene = AppScene(identifier: "s", role: .carPlay)
    let continued = contents(SceneUserActivity(scene, activity))
    #expect(
      continued.activity.type == "reading" && continued.activity.webpageURL == link && continued.userInfo == ["page": 7]
    )
    #expect(continued.scene?.identifier == "s" && continued.scene?.role.rawValue == AppScene.Role.carPlay.rawValue)
    #expect(contents(activity).text.title == "Page" && contents(scene).scene?.identifier == "s")
    let opened = contents(SceneURL(scene, OpenedURL(link)))
    #expect(opened.link.url == link && opened.scene?.identifier == "s")
    let failure = contents(UserActivityFailure(type: "reading", error: CancellationError()))
    #expect(failure.activity.type == "reading" && failure.error is CancellationError)
    let connection = contents(
      SceneConnection(
        scene, urls: [OpenedURL(link, sourceApplication: "a")], userActivities: [activity], sourceApplication: "b"))
    #expect(
      connection.link.url == link && connection.activity.type == "reading" && connection.link.sourceApplication == "b")
    #expect(connection.scene?.identifier == "s")
    // The contents have room for one link and one activity, so they keep the first of each.
    let other = UserActivity(type: "writing")
    let whole = contents(
      SceneConnection(
        scene, urls: [OpenedURL(link), OpenedURL(URL(string: "shop://other")!)], userActivities: [activity, other],
        notificationResponse: NotificationResponse(UserNotification(identifier: "n"), action: .open),
        quickAction: QuickAction(type: "search")))
    #expect(whole.link.url == link && whole.activity.type == "reading")
    #expect(whole.identifier == "n" && whole.quickAction == "search" && whole.link.sourceApplication == nil)
    let action = contents(QuickAction(type: "search", title: "Search", subtitle: "all", userInfo: ["q": 1]))
    #expect(action.quickAction == "search" && action.text.title == "Search" && action.text.subtitle == "all")
  }

  @Test func `a setting has the value of its own type`() {
    let setting: PropertyValue = ["a": [true, 1, 0.5, "x", nil], "b": ["c": 2]]
    #expect(setting == ["a": [true, 1, 0.5, "x", nil], "b": ["c": 2]])
  }

  @Test func `a payload with an ambiguous type is rejected`() {
    var contents = SystemEventContents(event: "test")
    let (text, nothing) = (contents.add("text"), contents.add(()))
    #expect(!text && nothing && contents.activity.type == nil && contents.identifier == nil)
  }
}
