#if canImport(UIKit) && !os(watchOS)
import Foundation
import Lifecycle
import Registry
import UIKit
import UserNotifications

extension DelegateHooks {
  static var protocols: [Protocol] {
    [
      (any UIApplicationDelegate).self as AnyObject, (any UIWindowSceneDelegate).self as AnyObject,
      (any UISceneDelegate).self as AnyObject, (any UNUserNotificationCenterDelegate).self as AnyObject,
    ].compactMap { $0 as? Protocol }
  }

  func begin() {
    watch(UIApplication.self, .application)
    watch(UIScene.self, .scene)
    watch(UNUserNotificationCenter.self, .notificationCenter)
    observeApplication()
    observeScenes()
    resetDelegates()
    startLate(UIApplication.running?.delegate, "application:willFinishLaunchingWithOptions:")
  }

  func resetDelegates() {
    guard let application = UIApplication.running else { return }
    application.resetDelegate()
    for scene in application.connectedScenes where scene.delegate != nil {
      let delegate = scene.delegate
      scene.delegate = nil
      scene.delegate = delegate
    }
  }

  /// Returns a Boolean value that indicates whether the hooks need a method without any subscriber.
  func isNeeded(_ method: DelegateMethod) -> Bool {
    method.selector == "application:didFinishLaunchingWithOptions:"
  }

  /// Starts the modules before the delegate receives its first call.
  func wrapLaunch(of delegate: AnyObject) {
    hooks.wrap("application:willFinishLaunchingWithOptions:", of: delegate, isWanted: startsModules) { hook in
      hook.bool2(otherwise: true) { [unowned self] options, original in
        startOnce(LaunchOptions(options as? [UIApplication.LaunchOptionsKey: Any]))
        return original?() ?? true
      }
    }
  }

  // MARK: - Notifications

  private func observeApplication() {
    observe(UIApplication.didBecomeActiveNotification, "applicationDidBecomeActive:", .didBecomeActive)
    observe(UIApplication.willResignActiveNotification, "applicationWillResignActive:", .willResignActive)
    observe(UIApplication.didEnterBackgroundNotification, "applicationDidEnterBackground:", .didEnterBackground)
    observe(UIApplication.willEnterForegroundNotification, "applicationWillEnterForeground:", .willEnterForeground)
    observe(UIApplication.willTerminateNotification, "applicationWillTerminate:", .willTerminate)
    observe(
      UIApplication.didReceiveMemoryWarningNotification, "applicationDidReceiveMemoryWarning:", .didReceiveMemoryWarning
    )
    observe(
      UIApplication.significantTimeChangeNotification, "applicationSignificantTimeChange:", .significantTimeDidChange)
    observe(
      UIApplication.protectedDataDidBecomeAvailableNotification, "applicationProtectedDataDidBecomeAvailable:",
      .protectedDataDidBecomeAvailable)
    observe(
      UIApplication.protectedDataWillBecomeUnavailableNotification, "applicationProtectedDataWillBecomeUnavailable:",
      .protectedDataWillBecomeUnavailable)
  }

  private func observeScenes() {
    observeScene(UIScene.didDisconnectNotification, "sceneDidDisconnect:", .sceneDidDisconnect)
    observeScene(UIScene.didActivateNotification, "sceneDidBecomeActive:", .sceneDidBecomeActive)
    observeScene(UIScene.willDeactivateNotification, "sceneWillResignActive:", .sceneWillResignActive)
    observeScene(UIScene.willEnterForegroundNotification, "sceneWillEnterForeground:", .sceneWillEnterForeground)
    observeScene(UIScene.didEnterBackgroundNotification, "sceneDidEnterBackground:", .sceneDidEnterBackground)
  }

  private func observeScene(
    _ name: Notification.Name, _ method: String, _ event: Event<AppScene, Void>
  ) {
    observe(name, method) { host, object in
      if let scene = object as? UIScene { host.trigger(event, AppScene(scene.session)) }
    }
  }

  /// Returns a Boolean value that indicates whether a delegate of this package receives a method.
  func modulesAreNotified(by object: AnyObject?, _ method: String) -> Bool {
    if let scene = object as? UIScene { return hooks.modulesAreNotified(by: scene.delegate, method) }
    guard let application = object as? UIApplication, hooks.modulesAreNotified(by: application.delegate, method) else {
      return false
    }
    // UIKit reports these phases to the delegates of scenes, if there are any, and not to the app.
    let phases = [
      "applicationDidBecomeActive:", "applicationWillResignActive:", "applicationDidEnterBackground:",
      "applicationWillEnterForeground:",
    ]
    return !(phases.contains(method) && application.connectedScenes.contains { $0.delegate != nil })
  }

  // MARK: - Methods

  /// Creates the replacement for a delegate's method.
  func implementation(of method: DelegateMethod, _ hook: MethodHook<ObjectiveCMethodTable>) -> IMP {
    switch method.role {
    case .application: applicationMethod(method.selector, hook)
    case .scene: sceneMethod(method.selector, hook)
    case .notificationCenter: notificationMethod(method.selector, hook)
    case .desktopApplication: hook.void1 { _, original in original() }
    }
  }

  private func applicationMethod(_ selector: String, _ hook: MethodHook<ObjectiveCMethodTable>) -> IMP {
    let (host, modules) = (host, host.modules)
    switch selector {
    case "application:didFinishLaunchingWithOptions:":
      return hook.bool2(otherwise: true) { [unowned self] options, original in
        let launch = LaunchOptions(options as? [UIApplication.LaunchOptionsKey: Any])
        startOnce(launch)
        defer { ModuleNotificationDelegate.installIfWanted(host) }
        return modules.trigger(.didFinishLaunching, launch) { _ in original?() ?? true }
      }
    case "application:openURL:options:":
      return hook.bool3 { url, options, original in
        guard let url = url as? URL else { return original?() ?? false }
        let opened = OpenedURL(url, options as? [UIApplication.OpenURLOptionsKey: Any] ?? [:])
        return modules.trigger(.openURL, opened) { _ in original?() ?? false }
      }
    case "application:didReceiveRemoteNotification:fetchCompletionHandler:":
      return hook.awaited(unanswered: { Block.integer($0)(UIBackgroundFetchResult.noData.rawValue) }) {
        info, completion, original in
        let block = Block.integer(completion)
        modules.trigger(
          .didReceiveRemoteNotification,
          RemoteNotification(userInfo: [String: PropertyValue](userInfo: info as? [AnyHashable: Any] ?? [:])),
          timeLimit: host.timeLimit,
          host: original.map { original in
            { answer in
              original(Block.integer { answer(FetchResult(UIBackgroundFetchResult(rawValue: $0) ?? .noData)) })
            }
          }
        ) { block($0.result.rawValue) }
      }
    case "application:handleEventsForBackgroundURLSession:completionHandler:":
      return hook.awaited(unanswered: { Block.plain($0)() }) { identifier, completion, original in
        let block = Block.plain(completion)
        modules.trigger(
          .handleBackgroundURLSession, identifier as? String ?? "", timeLimit: host.timeLimit,
          host: original.map { original in { answer in original(Block.plain { answer(()) }) } }
        ) { _ in block() }
      }
    case "application:handleWatchKitExtensionRequest:reply:":
      return hook.awaited(unanswered: { Block.object($0)(nil) }) { info, completion, original in
        let block = Block.object(completion)
        modules.trigger(
          .handleWatchKitRequest, (info as? [AnyHashable: Any]).map { [String: PropertyValue](userInfo: $0) },
          timeLimit: host.timeLimit,
          host: original.map { original in
            { answer in
              original(
                Block.object { answer(($0 as? [AnyHashable: Any]).map { [String: PropertyValue](userInfo: $0) }) })
            }
          }
        ) { block($0?.mapValues(\.object) as NSDictionary?) }
      }
    default: return commonMethod(selector, hook) ?? quickAction(selector, hook)
    }
  }

  /// Creates the replacement for a method that some platforms lack.
  private func quickAction(_ selector: String, _ hook: MethodHook<ObjectiveCMethodTable>) -> IMP {
    #if !os(tvOS)
    let (host, modules) = (host, host.modules)
    if selector.hasSuffix("performActionForShortcutItem:completionHandler:") {
      return hook.awaited(unanswered: { Block.boolean($0)(false) }) { item, completion, original in
        let block = Block.boolean(completion)
        guard let item = item as? UIApplicationShortcutItem else {
          if let original { original(completion) } else { block(false) }
          return
        }
        modules.trigger(
          .performQuickAction, QuickAction(item), timeLimit: host.timeLimit,
          host: original.map { original in { answer in original(Block.boolean { answer($0) }) } }
        ) { block($0) }
      }
    }
    #if !os(visionOS)
    if selector == "application:didReceiveLocalNotification:" {
      return hook.void2 { _, notification, original in
        guard let notification = notification as? NSObject else { return original() }
        modules.trigger(.didReceiveLocalNotification, LocalNotification(uiLocalNotification: notification)) { _ in
          original()
        }
      }
    }
    #endif
    #endif
    return hook.void2 { _, _, original in original() }
  }

  private func sceneMethod(_ selector: String, _ hook: MethodHook<ObjectiveCMethodTable>) -> IMP {
    let modules = host.modules
    switch selector {
    case "scene:willConnectToSession:options:":
      return hook.void3 { _, session, options, original in
        guard let session = session as? UISceneSession, let options = options as? UIScene.ConnectionOptions else {
          return original()
        }
        modules.trigger(.sceneWillConnect, SceneConnection(session, options)) { _ in original() }
      }
    case "scene:openURLContexts:":
      return hook.void2 { [host] scene, contexts, original in
        guard let scene = scene as? UIScene, let contexts = contexts as? Set<UIOpenURLContext> else {
          return original()
        }
        // Each link is an event, but the delegate is called once, after the modules.
        for url in OpenedURL.all(of: contexts) { host.trigger(.sceneOpenURL, SceneURL(AppScene(scene.session), url)) }
        original()
      }
    case "scene:continueUserActivity:":
      return hook.void2 { scene, activity, original in
        guard let scene = scene as? UIScene, let activity = activity as? NSUserActivity else { return original() }
        let payload = SceneUserActivity(AppScene(scene.session), UserActivity(activity))
        modules.trigger(.sceneContinueUserActivity, payload) { _ in
          original()
          return false
        }
      }
    default: return quickAction(selector, hook)
    }
  }

  private func notificationMethod(_ selector: String, _ hook: MethodHook<ObjectiveCMethodTable>) -> IMP {
    NotificationHooks.implementation(of: selector, hook, host)
  }
}
#endif
