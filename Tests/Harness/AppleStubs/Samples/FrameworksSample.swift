// Uses each framework as an app does, without the package. An error here is a mistake in a
// stand-in.
import Foundation
import UserNotifications

#if canImport(SwiftUI)
import SwiftUI

struct Page: View {
  @Environment(\.scenePhase) private var phase
  @State private var opened: URL?

  var body: some View {
    Text("Hello")
      .modifier(Watching())
      #if os(visionOS)
    .onChange(of: phase) { _, phase in
      if phase == .active { opened = nil }
    }
      #else
    .onChange(of: phase) { phase in
      if phase == .active { opened = nil }
    }
      #endif
      .onOpenURL { opened = $0 }
      .onContinueUserActivity(NSUserActivityTypeBrowsingWeb) { opened = $0.webpageURL ?? $0.referrerURL }
  }
}

struct Watching: ViewModifier {
  func body(content: Content) -> some View { content.onAppear { print("here") } }
}

@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
struct Opened: PreviewModifier {
  static func makeSharedContext() throws -> URL { URL(fileURLWithPath: "/") }
  func body(content: Content, context: URL) -> some View { content.environment(\.page, context) }
}

struct PageKey: EnvironmentKey {
  static let defaultValue: URL? = nil
}

extension EnvironmentValues {
  var page: URL? {
    get { self[PageKey.self] }
    set { self[PageKey.self] = newValue }
  }
}

@available(iOS 18, macOS 15, tvOS 18, watchOS 11, visionOS 2, *)
@MainActor func samplePreview() -> Preview {
  Preview("page", traits: PreviewTrait(.modifier(Opened()))) { Page() }
}

struct SampleApp: App {
  #if canImport(AppKit)
  @NSApplicationDelegateAdaptor private var delegate: MacDelegate
  #elseif os(watchOS)
  @WKApplicationDelegateAdaptor private var delegate: WatchDelegate
  #else
  @UIApplicationDelegateAdaptor(SceneStarter.self) private var delegate
  #endif

  var body: some Scene { WindowGroup { Page() } }
}
#endif

#if canImport(AppKit)
import AppKit

final class MacDelegate: NSObject, NSApplicationDelegate {
  func applicationDidFinishLaunching(_ notification: Notification) {
    print(notification.userInfo?[NSApplication.launchIsDefaultUserInfoKey] as? Bool ?? false)
  }
  func application(_ application: NSApplication, open urls: [URL]) { print(urls.count) }
  func application(_ application: NSApplication, didReceiveRemoteNotification userInfo: [String: Any]) {}
  func application(
    _ application: NSApplication, continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void
  ) -> Bool {
    restorationHandler([])
    return true
  }
  func applicationShouldTerminate(_ sender: NSApplication) -> NSApplication.TerminateReply { .terminateNow }
}

@MainActor let macNotifications: [Notification.Name] = [
  NSApplication.didBecomeActiveNotification, NSApplication.willTerminateNotification,
  .NSApplicationProtectedDataDidBecomeAvailable, .NSApplicationProtectedDataWillBecomeUnavailable,
]
#elseif canImport(UIKit) && !os(watchOS)
import CloudKit
import UIKit

final class SceneStarter: UIResponder, UIApplicationDelegate {
  func application(
    _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]? = nil
  ) -> Bool {
    if let url = options?[.url] as? URL { print(url) }
    return options?[.userActivityDictionary] as? [AnyHashable: Any] == nil
  }
  func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
    fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
  ) { completionHandler(.newData) }
  func application(
    _ application: UIApplication, handleWatchKitExtensionRequest userInfo: [AnyHashable: Any]?,
    reply: @escaping ([AnyHashable: Any]?) -> Void
  ) { reply(nil) }
  func application(
    _ application: UIApplication, continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
  ) -> Bool { true }
  func application(
    _ application: UIApplication, configurationForConnecting session: UISceneSession,
    options: UIScene.ConnectionOptions
  ) -> UISceneConfiguration {
    let configuration = UISceneConfiguration(name: nil, sessionRole: session.role)
    configuration.delegateClass = SceneDelegate.self
    return configuration
  }
  override func responds(to selector: Selector!) -> Bool {
    let openURL = #selector((any UIApplicationDelegate).application(_:open:options:))
    return selector != openURL && super.responds(to: selector)
  }
}

final class SceneDelegate: UIResponder, UIWindowSceneDelegate {
  var window: UIWindow?
  func scene(_ scene: UIScene, willConnectTo session: UISceneSession, options: UIScene.ConnectionOptions) {
    for context in options.urlContexts { print(context.url, context.options.openInPlace) }
    print(session.role == .windowApplication)
    #if !os(tvOS)
    if let response = options.notificationResponse { print(response.actionIdentifier) }
    #endif
  }
  func scene(_ scene: UIScene, openURLContexts contexts: Set<UIOpenURLContext>) {}
  func scene(_ scene: UIScene, willContinueUserActivityWithType userActivityType: String) {}
  func scene(_ scene: UIScene, didFailToContinueUserActivityWithType userActivityType: String, error: any Error) {}
  func scene(_ scene: UIScene, didUpdate userActivity: NSUserActivity) {}
  func stateRestorationActivity(for scene: UIScene) -> NSUserActivity? {
    let activity = scene.session.stateRestorationActivity ?? NSUserActivity(activityType: "cart")
    activity.addUserInfoEntries(from: ["count": 1])
    return activity
  }
  func scene(_ scene: UIScene, restoreInteractionStateWith stateRestorationActivity: NSUserActivity) {}
  func windowScene(_ windowScene: UIWindowScene, userDidAcceptCloudKitShareWith metadata: CKShare.Metadata) {
    print(metadata.containerIdentifier, metadata.share)
  }
  #if !os(tvOS)
  func windowScene(_ windowScene: UIWindowScene, performActionFor item: UIApplicationShortcutItem) async -> Bool {
    item.type == "cart"
  }
  #endif
}

@MainActor func watchNotifications() -> any NSObjectProtocol {
  NotificationCenter.default.addObserver(
    forName: UIApplication.protectedDataDidBecomeAvailableNotification, object: nil, queue: .main
  ) { print($0.name == UIApplication.didEnterBackgroundNotification, $0.name == UIScene.didActivateNotification) }
}

@MainActor func finish(_ application: UIApplication) {
  let task = application.beginBackgroundTask(withName: "save") { print("expired") }
  if task != .invalid { application.endBackgroundTask(task) }
}

@MainActor func hook() {
  let selector = #selector((any UIApplicationDelegate).application(_:open:options:))
  guard let method = class_getInstanceMethod(SceneStarter.self, selector) else { return }
  typealias Function = @convention(c) (AnyObject, Selector, UIApplication) -> Void
  _ = unsafeBitCast(method_getImplementation(method), to: Function.self)
  let block: @convention(block) (AnyObject, UIApplication) -> Void = { _, _ in }
  class_replaceMethod(
    SceneStarter.self, selector, imp_implementationWithBlock(block), method_getTypeEncoding(method))
  var count: UInt32 = 0
  free(class_copyMethodList(SceneStarter.self, &count))
  if let delegate = objc_getProtocol("UIApplicationDelegate") {
    print(protocol_getMethodDescription(delegate, selector, false, true).types.map { String(cString: $0) } ?? "")
  }
}
#endif

#if os(watchOS)
import CloudKit
import WatchKit

final class WatchDelegate: NSObject, WKApplicationDelegate {
  func applicationDidFinishLaunching() { WKApplication.shared().registerForRemoteNotifications() }
  func applicationDidEnterBackground() {
    ProcessInfo.processInfo.performExpiringActivity(withReason: "save") { isExpired in print(isExpired) }
  }
  func handle(_ userActivity: NSUserActivity) { print(userActivity.activityType) }
  func handleUserActivity(_ userInfo: [AnyHashable: Any]?) { print(userInfo?.count ?? 0) }
  func handle(_ backgroundTasks: Set<WKRefreshBackgroundTask>) {
    for task in backgroundTasks {
      switch task {
      case let session as WKURLSessionRefreshBackgroundTask: print(session.sessionIdentifier)
      case let snapshot as WKSnapshotRefreshBackgroundTask:
        snapshot.setTaskCompleted(restoredDefaultState: true, estimatedSnapshotExpiration: nil, userInfo: nil)
      default: task.setTaskCompletedWithSnapshot(task is WKApplicationRefreshBackgroundTask)
      }
    }
  }
  func didReceiveRemoteNotification(_ userInfo: [AnyHashable: Any]) async -> WKBackgroundFetchResult { .noData }
  func userDidAcceptCloudKitShare(with metadata: CKShare.Metadata) { print(metadata.containerIdentifier) }
}
#endif

final class Presenter: NSObject, UNUserNotificationCenterDelegate {
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) { completionHandler([.banner, .list, .sound]) }

  #if !os(tvOS)
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    if response.actionIdentifier == UNNotificationDefaultActionIdentifier {
      print((response as? UNTextInputNotificationResponse)?.userText ?? "")
    }
    print(response.notification.request.trigger is UNPushNotificationTrigger)
    #if os(iOS) || os(visionOS)
    MainActor.assumeIsolated { print(response.targetScene?.session.persistentIdentifier ?? "") }
    #endif
    completionHandler()
  }
  #endif
}

@MainActor func present(_ presenter: Presenter) { UNUserNotificationCenter.current().delegate = presenter }

#if canImport(BackgroundTasks)
import BackgroundTasks

@MainActor func registerRefresh() {
  let isRegistered = BGTaskScheduler.shared.register(forTaskWithIdentifier: "refresh", using: .main) { task in
    task.expirationHandler = { print("expired") }
    task.setTaskCompleted(success: task is BGAppRefreshTask)
  }
  print(isRegistered)
}
#endif
