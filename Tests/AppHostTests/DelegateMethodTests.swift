import Foundation
import Lifecycle
import Registry
import TestSupport
import Testing

@testable import AppHost

private final class Opener: Module {
  static func subscribe(_ events: Subscriptions<Opener>) {
    events.on(.openURL) { _, _, _ in true }
  }
}

private final class Fetcher: Module {
  static func subscribe(_ events: Subscriptions<Fetcher>) {
    events.on(.didReceiveRemoteNotification) { _, _, _ in .noData }
  }
}

private let openURL = "application:openURL:options:"
private let launch = "application:didFinishLaunchingWithOptions:"
private let fetch = "application:didReceiveRemoteNotification:fetchCompletionHandler:"

@MainActor struct DelegateMethodTests {
  @Test func `every system event has a delegate method, and every delegate method has a system event`() {
    let told = Set(DelegateMethod.all.map(\.event))
    let events = SystemEvent.all.filter { !$0.id.hasPrefix("modules.") }
    // Methods of other events trigger these as well: every method whose payload can contain a link,
    // and the one of an app that has entered the background.
    #expect(told.union(["app.openLink", "background.finish"]) == Set(events.map(\.id)))
  }

  @Test(arguments: DelegateMethod.Role.allCases) func `no delegate has a method twice`(role: DelegateMethod.Role) {
    let selectors = DelegateMethod.all(of: role).map(\.selector)
    #expect(!selectors.isEmpty && Set(selectors).count == selectors.count)
    // WatchKit passes no app to its delegate.
    #expect(role == .watchApplication || selectors.allSatisfy { $0.hasSuffix(":") })
  }

  @Test func `methods that hide older ones are in the table, and the older ones are not`() {
    let selectors = Set(DelegateMethod.all.map(\.selector))
    #expect(Set(DelegateMethod.older.keys).isSubset(of: selectors))
    for role in [DelegateMethod.Role.application, .desktopApplication] {
      let own = Set(DelegateMethod.all(of: role).map(\.selector))
      let hiding = DelegateMethod.older.filter { own.contains($0.key) }
      #expect(!hiding.isEmpty)
      for older in hiding.values { #expect(!older.isEmpty && own.isDisjoint(with: older)) }
    }
  }

  // UIKit calls `application:handleOpenURL:` only if the delegate lacks the method with a source
  // application, and AppKit `application:openFile:` only if it lacks the method for several files.
  @Test(arguments: [
    ("application:openURL:options:", "application:openURL:sourceApplication:annotation:", "application:handleOpenURL:"),
    ("application:openURLs:", "application:openFiles:", "application:openFile:"),
  ])
  func `the system's preferred one of two older methods is first`(newer: String, preferred: String, other: String) {
    #expect(DelegateMethod.older[newer] == [preferred, other])
  }

  @Test func `a method is advertised if its event has a subscriber, before and after the start`() throws {
    let modules = ModuleManager(modules: [Opener.self])
    let advertised = Advertised(.application, of: modules)
    let says = { advertised.isAdvertised($0, hasMethod: true) { false } }
    #expect(says(openURL) && !says(fetch))
    #expect(says("application:supportedInterfaceOrientationsForWindow:"), "it is none of ours")
    try modules.start()
    #expect(says(openURL) && !says(fetch))
    modules.register(Fetcher.self)
    #expect(says(fetch))
    modules.unregister(Fetcher.self)
    #expect(!says(fetch))
    modules.unregister(Opener.self)
    #expect(!says(openURL))
    let subscription = modules.on(.openURL) { _, _ in false }
    #expect(says(openURL), "a handler without a module counts")
    subscription.cancel()
    #expect(!says(openURL))
  }

  // UIKit would call such a method, and the app would terminate.
  @Test func `a method that the delegate lacks is not advertised, although a module subscribed to its event`() {
    let modules = ModuleManager(modules: [Opener.self])
    modules.on(.didReceiveLocalNotification) { _, _ in }
    let advertised = Advertised(.application, of: modules)
    for selector in ["application:didReceiveLocalNotification:", openURL, launch, "other:"] {
      #expect(!advertised.isAdvertised(selector, hasMethod: false) { true })
      #expect(advertised.isAdvertised(selector, hasMethod: true) { false })
    }
  }

  @Test func `a method that a subclass overrides, or that is always needed, is advertised`() {
    let advertised = Advertised(.application, of: ModuleManager())
    #expect(advertised.isAdvertised(fetch, hasMethod: true) { true })
    let isAdvertised = advertised.isAdvertised(launch, hasMethod: true) {
      Issue.record("the class answers")
      return false
    }
    #expect(isAdvertised)
  }

  @Test(arguments: DelegateMethod.Role.allCases)
  func `the methods with links are advertised if a module subscribed to links`(role: DelegateMethod.Role) throws {
    let modules = ModuleManager()
    let advertised = Advertised(role, of: modules)
    let links = DelegateMethod.all(of: role).filter(\.carriesLinks).map(\.selector)
    #expect(!links.isEmpty && links.allSatisfy { !advertised.isAdvertised($0, hasMethod: true) { false } })
    modules.on(.openLink) { _, _ in }
    // A delegate of the app needs the method of the launch. Delegates lack those with a
    // notification.
    let others = DelegateMethod.all(of: role)
      .filter { !$0.carriesLinks && !$0.isNotified && $0.event != "app.didFinishLaunching" }
      .map(\.selector)
    #expect(links.allSatisfy { advertised.isAdvertised($0, hasMethod: true) { false } })
    #expect(others.allSatisfy { !advertised.isAdvertised($0, hasMethod: true) { false } })
  }

  @Test func `a scene's connection can contain links, and notifications report its phases`() {
    func selectors(_ isIncluded: (DelegateMethod) -> Bool) -> [String] {
      DelegateMethod.all(of: .scene).filter(isIncluded).map(\.selector)
    }
    #expect(
      selectors(\.carriesLinks) == [
        "scene:openURLContexts:", "windowScene:performActionForShortcutItem:completionHandler:",
        "scene:continueUserActivity:", "scene:willConnectToSession:options:",
      ])
    #expect(
      selectors(\.isNotified) == [
        "sceneDidDisconnect:", "sceneDidBecomeActive:", "sceneWillResignActive:", "sceneWillEnterForeground:",
        "sceneDidEnterBackground:",
      ])
  }

  @Test func `a delegate that observes notifications lacks the methods that have one`() {
    let modules = ModuleManager()
    modules.on(.didBecomeActive) { _ in }
    modules.on(.openURL) { _, _ in true }
    let advertised = Advertised(.application, of: modules)
    let activation = "applicationDidBecomeActive:"
    #expect(!advertised.isAdvertised(activation, hasMethod: false) { true }, "the class itself answers")
    #expect(advertised.isAdvertised(activation, hasMethod: true) { false }, "a subclass has it")
    #expect(advertised.isAdvertised(openURL, hasMethod: true) { false })
  }

  @Test func `a module that waits for its first event counts as a subscriber`() {
    let modules = ModuleManager()
    modules.register(Opener.self, activation: .onFirstEvent)
    #expect(Advertised(.application, of: modules).isAdvertised(openURL, hasMethod: true) { false })
  }

  private func text(_ files: [String]) throws -> String {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Sources/AppHost/Apple")
    return try files.map { try String(contentsOf: folder.appendingPathComponent("\($0).swift"), encoding: .utf8) }
      .joined().filter { !$0.isWhitespace }
  }

  @Test func `the app's delegate starts the modules in the tested way`() throws {
    let text = try text(["ModuleAppDelegate"])
    let start =
      "moduleManager.observeApplication()moduleManager.startForDelegate(options,SystemDelegates(),startModules,"
    #expect(text.contains(start))
    #expect(text.components(separatedBy: "startModules").count == 3, "only the declaration and this call")
  }

  /// Checks that the delegates, hooks, and views of an app observe the events for which the system
  /// posts notifications.
  @Test(arguments: [
    (DelegateMethod.Role.application, "UIApplication"), (.scene, "UIScene"), (.desktopApplication, "NSApplication"),
    (.watchApplication, "WKApplication"),
  ])
  func `every event that has a notification is observed`(role: DelegateMethod.Role, framework: String) throws {
    let text = try text(["AppNotifications"])
    let methods = DelegateMethod.all(of: role)
    #expect(methods.contains { $0.isNotified } && methods.contains { !$0.isNotified })
    for method in methods where method.isNotified {
      let event = try #require(SystemEvent.all.first { $0.id == method.event })
      let call = try Regex("(\(framework)|\\.NSApplication)[A-Za-z.]+,\\.\(event.name)\\)")
      #expect(text.contains(call), "nothing observes \(event.name)")
    }
  }

  @Test func `hooks read the payload of every event that no notification reports`() throws {
    let text = try text(["Hooks/EventHook"])
    let hooked = DelegateMethod.all.filter { !$0.isNotified && $0.role != .watchApplication }
    for row in SystemEventRow.all where hooked.contains(where: { $0.event == row.id }) {
      let isRead = text.contains("\(row.payloadType)(") || ["Data", "String", "any Error"].contains(row.payloadType)
      #expect(isRead, "nothing reads \(row.payloadType)")
    }
  }
}

struct ScenePhaseTests {
  @Test func `phases become events in UIKit's order, and a repeated phase has no event`() {
    var phase = AppScene.Phase.background
    func enter(_ next: AppScene.Phase) -> [String] { phase.enter(next).map { "\($0.id)" } }
    #expect(enter(.background) == [])
    #expect(enter(.active) == ["scene.willEnterForeground", "scene.didBecomeActive"])
    #expect(enter(.active) == [])
    #expect(enter(.inactive) == ["scene.willResignActive"])
    #expect(enter(.active) == ["scene.didBecomeActive"])
    #expect(enter(.background) == ["scene.willResignActive", "scene.didEnterBackground"])
    #expect(enter(.inactive) == ["scene.willEnterForeground"])
    #expect(enter(.background) == ["scene.didEnterBackground"])
    #expect(phase == .background)
  }

  @Test @MainActor func `the events of a phase are triggered in order`() throws {
    let trace = Trace()
    let modules = ModuleManager(modules: [SceneRecorder.self], configuration: ContextValues { $0[.trace] = trace })
    try modules.start()
    let scene = AppScene(identifier: "s1")
    var phase = AppScene.Phase.background
    for next in [AppScene.Phase.active, .active, .background] { modules.scene(scene, has: phase.enter(next)) }
    #expect(trace.lines == ["enters foreground", "active", "resigns", "background"])
  }
}

private final class SceneRecorder: Module {
  static func subscribe(_ events: Subscriptions<SceneRecorder>) {
    events.on(.sceneWillEnterForeground) { _, _, context in context.configuration[.trace].add("enters foreground") }
    events.on(.sceneDidBecomeActive) { _, _, context in context.configuration[.trace].add("active") }
    events.on(.sceneWillResignActive) { _, _, context in context.configuration[.trace].add("resigns") }
    events.on(.sceneDidEnterBackground) { _, _, context in context.configuration[.trace].add("background") }
  }
}

private final class ReceivesLaunch: Module {
  func setUp(_ context: Context) throws {
    context.configuration[.trace].add(context.launch[.launchOptions]?.url?.url.absoluteString ?? "no link")
  }
}

@MainActor struct LaunchTests {
  @Test func `the modules' context contains the launch options`() throws {
    let trace = Trace()
    let modules = ModuleManager(modules: [ReceivesLaunch.self], configuration: ContextValues { $0[.trace] = trace })
    let launch = LaunchOptions(url: OpenedURL(URL(string: "shop:7")!))
    try modules.start(launch: ContextValues { $0[.launchOptions] = launch })
    #expect(trace.lines == ["shop:7"])
  }

  @Test func `a failed start is reported with its reason and the fix`() {
    let problems = DiagnosticCollector()
    let modules = ModuleManager(onDiagnostic: problems.handler)
    modules.report(.startFailed(ModuleError.alreadyStarted))
    let problem = problems[.startFailed].first
    #expect(problem?.severity == .error)
    #expect(
      problem?.message
        == "the modules failed to start, and the app runs without them: \(ModuleError.alreadyStarted); override"
        + " 'modulesFailedToStart(_:)' to handle the error")
  }
}

@MainActor struct DesktopPayloadTests {
  private let opened = "NSApplicationLaunchUserNotificationKey"
  private let notification = UserNotification(
    identifier: "1", isRemote: true, date: Date(timeIntervalSince1970: 0), userInfo: ["order": 7])

  @Test func `the launch options of AppKit contain the remote notification and all other values`() {
    let info: [AnyHashable: Any] = ["NSApplicationLaunchIsDefaultLaunchKey": false, opened: "response", 1: 2]
    let launch = LaunchOptions(desktop: info, notificationKey: opened) {
      $0 as? String == "response" ? notification : nil
    }
    #expect(launch.notification?.userInfo == ["order": 7])
    #expect(launch.others == ["NSApplicationLaunchIsDefaultLaunchKey": false])
    #expect(launch.url == nil && launch.quickAction == nil && launch.userActivityType == nil)
  }

  @Test func `a local notification and an object of another type are among the other launch options`() {
    var local = notification
    local.isRemote = false
    let launch = LaunchOptions(desktop: [opened: "response"], notificationKey: opened) { _ in local }
    #expect(launch.notification == nil && launch.others == [opened: ["order": 7]])
    let other = LaunchOptions(desktop: [opened: "object"], notificationKey: opened) { _ in nil }
    #expect(other.notification == nil && other.others == [opened: "object"])
  }

  @Test func `AppKit opens files in place`() throws {
    #expect(OpenedURL(desktop: URL(fileURLWithPath: "/a.txt")).opensInPlace)
    #expect(!OpenedURL(desktop: try #require(URL(string: "shop://cart"))).opensInPlace)
  }
}
