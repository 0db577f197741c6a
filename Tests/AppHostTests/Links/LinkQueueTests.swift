import Foundation
import Lifecycle
import Registry
import TestSupport
import TestWaits
import Testing

@testable import AppHost

@Suite(.timeLimit(.minutes(20))) @MainActor struct LinkQueueTests {
  private let trace = Trace()
  private let time = ManualTime()
  private let modules: ModuleManager
  private let url = URL(string: "shop://order/7")!

  init() throws {
    modules = ModuleManager(
      modules: [LinkRecorder.self], configuration: ContextValues { [trace] in $0[.trace] = trace }, time: time.source)
    try modules.start()
  }

  /// Reports the link by several paths, in order, and returns the number of deliveries.
  private func deliveries(_ paths: LinkQueue.Path...) async -> Int {
    for path in paths { modules.report(.url(OpenedURL(url)), by: path) }
    for _ in 0..<100 { await Task.yield() }
    return trace.lines.count
  }

  @Test func `reports of one link by all paths are one link`() async {
    for path in LinkQueue.Path.allCases { modules.report(.url(OpenedURL(url)), by: path) }
    #expect(await deliveries() == 1)
  }

  @Test func `a link is delivered as often as the path that reported it most often`() async {
    #expect(await deliveries(.sceneDelegate, .openURL, .openURL, .sceneDelegate, .openURL) == 3)
  }

  @Test func `a report by another path joins a link for two seconds after its delivery`() async {
    #expect(await deliveries(.sceneDelegate) == 1)
    time.advance(seconds: 2)
    #expect(await deliveries(.openURL) == 1)
    time.advance(seconds: 0.1)
    #expect(await deliveries(.userActivity) == 2)
  }

  @Test func `the two seconds start when the handlers of the link return`() async {
    modules.on(.openLink, once: true) { [time] _, _ in time.advance(seconds: 5) }
    #expect(await deliveries(.sceneDelegate) == 1)
    time.advance(seconds: 2)
    #expect(await deliveries(.openURL) == 1)
  }

  @Test func `a report by another path joins a link that still waits, and the two seconds follow`() async throws {
    modules.stop()
    #expect(await deliveries(.sceneDelegate) == 0)
    time.advance(seconds: 60)
    #expect(await deliveries(.openURL) == 0)
    try modules.start()
    #expect(await deliveries() == 1)
    time.advance(seconds: 1)
    #expect(await deliveries(.userActivity) == 1)
  }

  @Test func `a view that appears slowly receives the link for which its scene connects`() async {
    modules.deliver(
      .sceneWillConnect, SceneConnection(AppScene(identifier: "s1"), urls: [OpenedURL(url)]), by: .sceneDelegate)
    #expect(await deliveries() == 1)
    time.advance(seconds: 10)
    #expect(await deliveries(.openURL) == 1)
    time.advance(seconds: 0.1)
    #expect(await deliveries(.userActivity) == 2)
  }

  @Test func `a view that appears slowly receives a link that its scene's delegate passed on`() async {
    let (links, scene) = (modules.sharedHostState.links, AppScene(identifier: "s1"))
    links.duringCall {
      modules.deliver(.sceneWillConnect, SceneConnection(scene, urls: [OpenedURL(url)]), by: .hooks) {
        _ = links.duringCall { modules.deliver(.openURL, OpenedURL(url, scene: scene), by: .hooks) }
      }
    }
    #expect(await deliveries() == 1)
    time.advance(seconds: 10)
    #expect(await deliveries(.openURL) == 1)
  }

  @Test func `the app's own code can open the link of a connection again after two seconds`() async {
    let opened = OpenedURL(url).from(Object())
    modules.deliver(
      .sceneWillConnect, SceneConnection(AppScene(identifier: "s1"), urls: [opened]), by: .sceneDelegate)
    #expect(await deliveries() == 1)
    time.advance(seconds: 3)
    #expect(await deliveries(.app) == 2)
    time.advance(seconds: 3)
    modules.report(.url(opened), by: .app)
    #expect(await deliveries() == 3, "the object is the same")
  }

  @Test(arguments: LinkQueue.Path.allCases.filter { $0 != .app })
  func `a link that the app has opened is delivered again when the system opens it`(
    path: LinkQueue.Path
  ) async {
    modules.deliver(AppLink(url))
    #expect(await deliveries(path) == 2)
    #expect(await deliveries(.app) == 2, "the app's own code joins the system's report")
  }

  @Test func `the app's own code joins a system's link, and not its event`() async {
    modules.deliver(.openURL, OpenedURL(url), by: .sceneDelegate)
    #expect(await deliveries(.app) == 1)
    #expect(await deliveries(.app) == 2)
  }

  @Test func `a system's link is delivered although the app opened it during the last ten seconds`() async {
    modules.deliver(AppLink(url))
    #expect(await deliveries() == 1)
    time.advance(seconds: 8)
    #expect(await deliveries(.sceneDelegate) == 2)
  }

  /// An object of the system.
  private final class Object {}

  @Test func `reports with one object are one link by any path, and other objects are other links`() async {
    let (first, second) = (Object(), Object())
    for object in [first, first, second, first, second] {
      modules.report(.url(OpenedURL(url).from(object)), by: .sceneDelegate)
    }
    #expect(await deliveries() == 2)
    modules.report(.url(OpenedURL(url).from(second)), by: .appDelegate)
    #expect(await deliveries() == 2)
    time.advance(seconds: 3)
    modules.report(.url(OpenedURL(url).from(first)), by: .sceneDelegate)
    #expect(await deliveries() == 3, "the system can use an object again")
  }

  @Test func `the object of a delivered link is not kept`() async {
    weak var released: Object?
    do {
      let object = Object()
      released = object
      modules.report(.url(OpenedURL(url).from(object)), by: .sceneDelegate)
    }
    #expect(released != nil, "the link waits")
    #expect(await deliveries() == 1)
    #expect(released == nil)
  }

  @Test func `hooked calls that lead to each other report one link, and one call can report two`() async {
    let links = modules.sharedHostState.links
    func report(_ path: LinkQueue.Path = .hooks, _ inner: () -> Void = {}) {
      links.duringCall {
        inner()
        modules.report(.url(OpenedURL(url)), by: path)
      }
    }
    report { modules.deliver(AppLink(url)) }
    #expect(await deliveries() == 1, "the hook calls the app's own code")
    #expect(await deliveries(.openURL) == 1, "a view receives the link as well")
    report { report { report() } }
    #expect(await deliveries() == 2)
    report { modules.report(.url(OpenedURL(url)), by: .hooks) }
    #expect(await deliveries() == 4)
  }

  @Test func `the app's own code can deliver the URL of a notification or quick action that a hook reports`() async {
    let info: [String: PropertyValue] = ["url": "shop://order/7"]
    let response = NotificationResponse(UserNotification(identifier: "n1", userInfo: info))
    for source in [AppLink.Source.notification(response), .quickAction(QuickAction(type: "order", userInfo: info))] {
      for isFirst in [true, false] {
        let count = await deliveries()
        modules.sharedHostState.links.duringCall {
          if isFirst { modules.deliver(AppLink(url)) }
          modules.report(source, by: .hooks)
          if !isFirst { modules.deliver(AppLink(url)) }
        }
        #expect(await deliveries() == count + 1, "\(source.name) \(isFirst)")
      }
    }
  }

  @Test func `a link that an app's delegate receives first has the scene and object of the later report`() async {
    let object = Object()
    var received: [AnyObject?] = []
    modules.on(.openLink) { link, _ in received.append(link.systemObject) }
    modules.report(.url(OpenedURL(url)), by: .appDelegate)
    modules.report(.url(OpenedURL(url).from(object)), in: AppScene(identifier: "s1"), by: .sceneDelegate)
    #expect(await deliveries() == 1)
    #expect(trace.lines == ["url shop://order/7 s1"])
    #expect(received.count == 1 && received[0] === object)
    time.advance(seconds: 3)
    modules.report(.url(OpenedURL(url).from(object)), in: AppScene(identifier: "s2"), by: .sceneDelegate)
    #expect(await deliveries(.openURL) == 2)
    #expect(received.count == 2 && received[1] === object, "a view's report has no object")
  }

  @Test func `an activity that is only announced or updated opens no link`() async {
    let web = UserActivity(type: UserActivity.browsingWeb, webpageURL: URL(string: "https://shop.example/orders/7"))
    modules.deliver(.willContinueUserActivity, web, by: .hooks)
    modules.deliver(.didUpdateUserActivity, web, by: .hooks)
    #expect(await deliveries() == 0)
  }

  @Test func `different links, notifications, and quick actions are separate`() async {
    modules.report(.url(OpenedURL(url)), by: .sceneDelegate)
    modules.report(.url(OpenedURL(URL(string: "shop://order/8")!)), by: .openURL)
    modules.report(.quickAction(QuickAction(type: "order", userInfo: ["url": "shop://order/7"])), by: .hooks)
    for (name, path) in [("n1", LinkQueue.Path.sceneDelegate), ("n2", .notificationCenter)] {
      let notification = UserNotification(identifier: name, userInfo: ["url": "shop://order/7"])
      modules.report(.notification(NotificationResponse(notification)), by: path)
    }
    #expect(await deliveries() == 5)
  }

  @Test func `the app's own code can open a link`() async {
    modules.deliver(AppLink(url))
    #expect(await deliveries() == 1)
    #expect(trace.lines == ["url shop://order/7 -"])
  }

  /// A module whose asynchronous work opens a link.
  private final class Opener: AsyncModule {
    static var modules: ModuleManager?

    func run(_ context: Context) async throws {
      await Task.yield()
      Self.modules?.deliver(AppLink(URL(string: "shop://order/7")!))
      try await context.gracefulShutdown()
    }
  }

  @Test func `a link that a module's work opens is not handled as that module's work`() async throws {
    let modules = ModuleManager(modules: [Opener.self])
    Opener.modules = modules
    defer { Opener.modules = nil }
    modules.on(.openLink) { [trace] _, context in
      Task {
        context.on(.custom) { _, _ in trace.add("custom") }
        trace.add("link")
      }
    }
    try modules.runInBackground { Issue.record($0) }
    try await until("the link is handled") { trace.lines == ["link"] }
    #expect(modules.unregister(Opener.self))
    await modules.waitUntilIdle()
    modules.trigger(.custom, CustomEvent("e"))
    #expect(trace.lines == ["link", "custom"])
    modules.stop()
  }

  @Test func `a report says whether a module subscribed and the payload contains a link`() {
    #expect(modules.report(.url(OpenedURL(url)), by: .hooks))
    #expect(!modules.report(.quickAction(QuickAction(type: "search")), by: .hooks))
    let other = ModuleManager()
    #expect(!other.report(.url(OpenedURL(url)), by: .hooks))
  }

  @Test func `the app's delegate handles a link that a module opens`() {
    #expect(modules.deliver(.openURL, OpenedURL(url), by: .appDelegate))
    let web = UserActivity(type: UserActivity.browsingWeb, webpageURL: url)
    #expect(modules.deliver(.continueUserActivity, web, by: .appDelegate))
    var isHandled: Bool?
    let action = QuickAction(type: "order", userInfo: ["url": "shop://order/7"])
    modules.deliver(.performQuickAction, action, by: .appDelegate) { isHandled = $0 }
    #expect(isHandled == true)
    modules.deliver(.performQuickAction, QuickAction(type: "search"), by: .appDelegate) { isHandled = $0 }
    #expect(isHandled == false)
  }

  @Test func `quick actions of two types with the same link are separate`() async {
    for (type, path) in [("order", LinkQueue.Path.sceneDelegate), ("reorder", .hooks)] {
      modules.report(.quickAction(QuickAction(type: type, userInfo: ["url": "shop://order/7"])), by: path)
    }
    #expect(await deliveries() == 2)
  }

  @Test func `a universal link that SwiftUI passes to both modifiers is delivered once`() async {
    let (web, scene) = (URL(string: "https://shop.example/orders/7")!, AppScene(identifier: "s1"))
    for _ in 1...2 {
      modules.deliver(.openURL, OpenedURL(web, scene: scene), by: .openURL)
      modules.deliver(
        .continueUserActivity,
        UserActivity(type: UserActivity.browsingWeb, webpageURL: web, scene: scene), by: .userActivity)
    }
    #expect(await deliveries() == 2)
    #expect(Set(trace.lines) == ["universalLink https://shop.example/orders/7 s1"])
  }

  @Test func `links have the objects of the system`() async {
    var received: [AnyObject?] = []
    modules.on(.openLink) { link, _ in received.append(link.systemObject) }
    let info: [String: PropertyValue] = ["url": "shop://order/7"]
    let objects = (0..<6).map { _ in Object() }
    let activities = ["a", "b"].map { UserActivity(type: $0, webpageURL: URL(string: "https://shop.example/\($0)")) }
    let connection = SceneConnection(
      AppScene(identifier: "s1"),
      urls: [OpenedURL(url).from(objects[0]), OpenedURL(URL(string: "shop://order/8")!).from(objects[1])],
      userActivities: [activities[0].from(objects[2]), activities[1].from(objects[3])],
      notificationResponse: NotificationResponse(UserNotification(identifier: "n1", userInfo: info)).from(objects[5]),
      quickAction: QuickAction(type: "order", userInfo: info).from(objects[4]))
    modules.deliver(.sceneWillConnect, connection, by: .sceneDelegate)
    #expect(await deliveries() == 6)
    #expect(received.map { $0.map(ObjectIdentifier.init) } == objects.map { ObjectIdentifier($0) })
  }

  @Test func `a link also triggers the event of the method that reported it`() {
    var events: [String] = []
    modules.on(.openURL) { opened, _ in
      events.append("\(opened.scene?.identifier ?? "-") \(opened.url)")
      return true
    }
    modules.on(.continueUserActivity) { activity, _ in
      events.append("\(activity.scene?.identifier ?? "-") \(activity.type)")
      return true
    }
    let (delegate, view) = (AppScene(identifier: "delegate"), AppScene(identifier: "view"))
    modules.deliver(.openURL, OpenedURL(url, scene: delegate), by: .sceneDelegate)
    modules.deliver(
      .continueUserActivity, UserActivity(type: "order", scene: delegate), by: .sceneDelegate)
    #expect(events == ["delegate shop://order/7", "delegate order"])
    time.advance(seconds: 11)
    modules.deliver(.openURL, OpenedURL(url, scene: view), by: .openURL)
    modules.deliver(.continueUserActivity, UserActivity(type: "order", scene: view), by: .userActivity)
    #expect(events.dropFirst(2) == ["view shop://order/7", "view order"])
  }

  @Test func `a link or activity that hooks and a view report has one event`() {
    var (events, own) = ([String](), 0)
    modules.on(.openURL) { opened, _ in
      events.append("\(opened.url)")
      return true
    }
    modules.on(.continueUserActivity) { activity, _ in
      events.append(activity.type)
      return true
    }
    let scene = AppScene(identifier: "s1")
    let web = UserActivity(
      type: UserActivity.browsingWeb, webpageURL: URL(string: "https://shop.example/orders/7"))
    for count in 1...2 {
      for path in [LinkQueue.Path.hooks, .openURL] {
        modules.deliver(.openURL, OpenedURL(url, scene: scene), by: path)
      }
      for activity in [UserActivity(type: "order"), UserActivity(type: "cart"), web] {
        modules.deliver(.continueUserActivity, activity, by: .hooks) {
          own += 1
          return false
        }
        modules.deliver(.continueUserActivity, activity, by: .userActivity)
      }
      #expect(events.count == 4 * count && own == 3 * count)
    }
    #expect(events.suffix(4) == ["shop://order/7", "order", "cart", UserActivity.browsingWeb])
  }

  @Test(arguments: [false, true])
  func `a link or activity that a scene's delegate passes on to the app's has one event and one answer`(answer: Bool) {
    var scenes: [String?] = []
    modules.on(.openURL) { opened, _ in
      scenes.append(opened.scene?.identifier)
      return answer
    }
    modules.on(.continueUserActivity) { activity, _ in
      scenes.append(activity.scene?.identifier)
      return answer
    }
    let scene = AppScene(identifier: "s1")
    for _ in 1...2 {
      modules.deliver(.openURL, OpenedURL(url, scene: scene), by: .sceneDelegate)
      #expect(modules.deliver(.openURL, OpenedURL(url), by: .appDelegate), "a module opens links")
      modules.deliver(.continueUserActivity, UserActivity(type: "order", scene: scene), by: .sceneDelegate)
      #expect(modules.deliver(.continueUserActivity, UserActivity(type: "order"), by: .appDelegate) == answer)
    }
    #expect(scenes == ["s1", "s1", "s1", "s1"])
  }

  @Test func `the two seconds of an event start when its handlers return`() {
    let links = modules.sharedHostState.links
    var count = 0
    modules.on(.openURL) { [time] _, _ in
      count += 1
      time.advance(seconds: 5)
      return true
    }
    _ = links.duringCall {
      modules.deliver(.openURL, OpenedURL(url), by: .hooks) { [modules, url] in
        links.duringCall { modules.deliver(.openURL, OpenedURL(url), by: .hooks) }
      }
    }
    time.advance(seconds: 2)
    modules.deliver(.openURL, OpenedURL(url), by: .openURL)
    #expect(count == 1)
    time.advance(seconds: 0.1)
    modules.deliver(.openURL, OpenedURL(url), by: .appDelegate)
    #expect(count == 2)
  }

  @Test func `a report that no other can join is not kept`() {
    let links = modules.sharedHostState.links
    weak let report = links.event(["order"], by: .hooks).report
    report?.delivery = time.now
    time.advance(seconds: 2)
    _ = links.event(["cart"], by: .hooks)
    #expect(report != nil)
    time.advance(seconds: 0.1)
    _ = links.event(["search"], by: .hooks)
    #expect(report == nil)
  }

  @Test func `a quick action that another path reports after two seconds is performed again`() async throws {
    modules.on(.performQuickAction) { _, _ in true }
    var outcomes: [Bool] = []
    func report(_ action: QuickAction, by path: LinkQueue.Path) async throws {
      let count = outcomes.count
      modules.deliver(.performQuickAction, action, by: path) { outcomes.append($0) }
      try await until("the completion is called") { outcomes.count > count }
      time.advance(seconds: 3)
    }
    try await report(QuickAction(type: "search"), by: .sceneDelegate)
    try await report(QuickAction(type: "search"), by: .hooks)
    let cart = QuickAction(type: "cart")
    modules.deliver(
      .sceneWillConnect, SceneConnection(AppScene(identifier: "s1"), quickAction: cart), by: .sceneDelegate)
    time.advance(seconds: 3)
    try await report(cart, by: .hooks)
    #expect(outcomes == [true, true, true])
  }

  @Test func `the source of a view's link has the payload of the event`() async {
    var sources: [AppLink.Source] = []
    modules.on(.openLink) { link, _ in sources.append(link.source) }
    let (web, scene) = (URL(string: "https://shop.example/orders/7")!, AppScene(identifier: "s1"))
    let file = OpenedURL(URL(fileURLWithPath: "/a.shop"), opensInPlace: true, scene: scene)
    for opened in [file, OpenedURL(web, scene: scene)] { modules.deliver(.openURL, opened, by: .openURL) }
    #expect(await deliveries() == 2)
    let activity = UserActivity(type: UserActivity.browsingWeb, webpageURL: web, scene: scene)
    #expect(sources == [.url(file), .universalLink(activity)])
  }

  @Test func `a scene that connects for a link does not count as its event`() {
    var count = 0
    modules.on(.openURL) { _, _ in
      count += 1
      return true
    }
    let scene = AppScene(identifier: "s1")
    modules.deliver(.sceneWillConnect, SceneConnection(scene, urls: [OpenedURL(url)]), by: .sceneDelegate)
    #expect(count == 0)
    modules.deliver(.openURL, OpenedURL(url, scene: scene), by: .openURL)
    #expect(count == 1, "a view receives the link as well")
  }

  @Test func `the app's own handling runs although another path has reported the activity`() {
    var own = 0
    let scene = AppScene(identifier: "s1")
    modules.deliver(.continueUserActivity, UserActivity(type: "order", scene: scene), by: .userActivity)
    modules.deliver(.continueUserActivity, UserActivity(type: "order", scene: scene), by: .hooks) {
      own += 1
      return false
    }
    #expect(own == 1)
  }
}

struct AppLinkTests {
  @Test func `the link of each source`() {
    let web = URL(string: "https://shop.example/orders/7")!
    let info: [String: PropertyValue] = ["url": "shop://order/7", "link": "shop://order/8"]
    func link(_ source: AppLink.Source, key: String = "url") -> String? {
      AppLink(source, key: key)?.url.absoluteString
    }
    #expect(link(.url(OpenedURL(web))) == "https://shop.example/orders/7")
    let browsing = UserActivity(type: UserActivity.browsingWeb, webpageURL: web, userInfo: info)
    #expect(link(.universalLink(browsing)) == "https://shop.example/orders/7")
    #expect(link(.handoff(UserActivity(type: "order", userInfo: info))) == "shop://order/7")
    #expect(link(.handoff(UserActivity(type: "order", userInfo: info)), key: "link") == "shop://order/8")
    #expect(link(.handoff(UserActivity(type: "order"))) == nil)
    let item = UserActivity(
      type: UserActivity.spotlight, userInfo: ["kCSSearchableItemActivityIdentifier": "shop://order/9"])
    #expect(link(.spotlight(item)) == "shop://order/9")
    var found = UserActivity(type: UserActivity.spotlight, userInfo: info.merging(item.userInfo) { $1 })
    #expect(link(.spotlight(found)) == "shop://order/7", "user info precedes the identifier")
    found.webpageURL = web
    #expect(link(.spotlight(found)) == "https://shop.example/orders/7")
    let named = UserActivity(
      type: UserActivity.spotlight, userInfo: ["kCSSearchableItemActivityIdentifier": "order-9"])
    #expect(link(.spotlight(named)) == nil, "an identifier without a scheme is no link")
    #expect(link(.quickAction(QuickAction(type: "order", userInfo: info))) == "shop://order/7")
    let notification = UserNotification(identifier: "n1", userInfo: info)
    #expect(link(.notification(NotificationResponse(notification))) == "shop://order/7")
    #expect(link(.notification(NotificationResponse(notification, action: .dismiss))) == nil)
    #expect(link(.notification(NotificationResponse(notification, action: .custom("archive")))) == nil)
  }

  @Test func `the source of a URL follows from its scheme, and that of an activity from its type`() {
    #expect(AppLink(URL(string: "shop://order/7")!).source.name == "url")
    #expect(AppLink(URL(string: "HTTPS://shop.example")!).source.name == "universalLink")
    #expect(AppLink(URL(string: "file:///order.pdf")!).source.name == "url")
    #expect(AppLink.Source(UserActivity(type: UserActivity.browsingWeb)).name == "universalLink")
    #expect(AppLink.Source(UserActivity(type: UserActivity.spotlight)).name == "spotlight")
    #expect(AppLink.Source(UserActivity(type: "order")).name == "handoff")
    #expect(AppLink(URL(string: "https://shop.example")!).userActivity?.type == UserActivity.browsingWeb)
    #expect(AppLink(URL(string: "shop://x")!).userActivity == nil)
  }

  @Test(.timeLimit(.minutes(20))) @MainActor func `the key of links in user info is configurable`() async throws {
    let trace = Trace()
    let modules = ModuleManager(
      modules: [LinkRecorder.self],
      configuration: ContextValues {
        $0[.trace] = trace
        $0[.linkKey] = "link"
      })
    try modules.start()
    modules.report(
      .quickAction(QuickAction(type: "order", userInfo: ["link": "shop://order/7"])), by: .sceneDelegate)
    for _ in 0..<100 { await Task.yield() }
    #expect(trace.lines == ["quickAction shop://order/7 -"])
  }
}
