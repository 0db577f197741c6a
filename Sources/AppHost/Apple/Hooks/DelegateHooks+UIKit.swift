#if canImport(UIKit) && !os(watchOS)
import CloudKit
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
    host.observeApplication()
    host.modules.sharedHostState.hasSceneDelegates = true
    observeScenes()
    startLate(UIApplication.running?.delegate, "application:willFinishLaunchingWithOptions:")
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

  private func observeScenes() {
    observeScene(UIScene.didDisconnectNotification, "sceneDidDisconnect:", .sceneDidDisconnect)
    observeScene(UIScene.didActivateNotification, "sceneDidBecomeActive:", .sceneDidBecomeActive)
    observeScene(UIScene.willDeactivateNotification, "sceneWillResignActive:", .sceneWillResignActive)
    observeScene(UIScene.willEnterForegroundNotification, "sceneWillEnterForeground:", .sceneWillEnterForeground)
    observeScene(UIScene.didEnterBackgroundNotification, "sceneDidEnterBackground:", .sceneDidEnterBackground)
  }

  /// Triggers an event for a scene's notification, unless a delegate of this package does so in a
  /// method.
  private func observeScene(
    _ name: Notification.Name, _ method: String, _ event: Event<AppScene, Void>
  ) {
    // The observer stays for as long as the process runs, like the wrapped methods.
    _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { [self] notification in
      // UIKit posts these on the main thread, so ignore a notification on another one.
      guard Thread.isMainThread else { return }
      let object = Transferred(notification.object as AnyObject?)
      MainActor.assumeIsolated {
        guard let scene = object.take() as? UIScene, !hooks.modulesAreNotified(by: scene.delegate, method) else {
          return
        }
        host.trigger(event, AppScene(scene.session))
      }
    }
  }

  // MARK: - Methods

  /// Creates the replacement for a delegate's method.
  func implementation(of method: DelegateMethod, _ hook: MethodHook<ObjectiveCMethodTable>) -> IMP {
    switch method.role {
    case .application: applicationMethod(method.selector, hook)
    case .scene: sceneMethod(method.selector, hook)
    case .notificationCenter: notificationMethod(method.selector, hook)
    case .desktopApplication, .watchApplication: hook.void1 { _, original in original() }
    }
  }

  private func applicationMethod(_ selector: String, _ hook: MethodHook<ObjectiveCMethodTable>) -> IMP {
    let (host, modules) = (host, host.modules)
    switch selector {
    case "application:didFinishLaunchingWithOptions:":
      return hook.bool2(otherwise: true) { [unowned self] options, original in
        let launch = LaunchOptions(options as? [UIApplication.LaunchOptionsKey: Any])
        startOnce(launch)
        defer { SystemDelegates().installNotificationDelegateIfWanted(host) }
        return modules.trigger(.didFinishLaunching, launch) { _ in original?() ?? true }
      }
    case "application:openURL:options:":
      return hook.bool3 { url, options, original in
        guard let url = url as? URL else { return original?(options) ?? false }
        let opened = OpenedURL(url, options as? [UIApplication.OpenURLOptionsKey: Any] ?? [:])
        return host.deliver(.openURL, opened, by: .hooks) { original?(options) ?? false }
      }
    case "application:didReceiveRemoteNotification:fetchCompletionHandler:":
      return hook.awaited(unanswered: { Block.integer($0)(UIBackgroundFetchResult.noData.rawValue) }) {
        _, info, completion, original in
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
      return hook.awaited(unanswered: { Block.plain($0)() }) { _, identifier, completion, original in
        let block = Block.plain(completion)
        modules.trigger(
          .handleBackgroundURLSession, identifier as? String ?? "", timeLimit: host.timeLimit,
          host: original.map { original in { answer in original(Block.plain { answer(()) }) } }
        ) { _ in block() }
      }
    case "application:handleWatchKitExtensionRequest:reply:":
      return hook.awaited(unanswered: { Block.object($0)(nil) }) { _, info, completion, original in
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
    case "application:didDiscardSceneSessions:":
      return hook.void2 { _, sessions, original in
        host.discard((sessions as? Set<UISceneSession> ?? []).map { AppScene($0) })
        original()
      }
    default: return commonMethod(selector, hook) ?? quickAction(selector, hook)
    }
  }

  /// Creates the replacement for a method that some platforms lack.
  private func quickAction(_ selector: String, _ hook: MethodHook<ObjectiveCMethodTable>) -> IMP {
    #if !os(tvOS)
    let (host, modules) = (host, host.modules)
    if selector.hasSuffix("performActionForShortcutItem:completionHandler:") {
      return hook.awaited(unanswered: { Block.boolean($0)(false) }) { owner, item, completion, original in
        let block = Block.boolean(completion)
        guard let item = item as? UIApplicationShortcutItem else {
          if let original { original(completion) } else { block(false) }
          return
        }
        // The receiver of a window scene's action is the scene, and otherwise the app.
        let action = QuickAction(item, in: (owner as? UIScene).map { AppScene($0.session) })
        host.deliver(
          .performQuickAction, action, by: .hooks,
          own: original.map { original in { answer in original(Block.boolean { answer($0) }) } },
          repeated: original.map { original in { original(completion) } }
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
    let (host, modules) = (host, host.modules)
    switch selector {
    case "scene:willConnectToSession:options:":
      return hook.void3 { _, session, options, original in
        guard let session = session as? UISceneSession, let options = options as? UIScene.ConnectionOptions else {
          return original()
        }
        host.deliver(.sceneWillConnect, SceneConnection(session, options), by: .hooks, own: original)
      }
    case "scene:openURLContexts:":
      return hook.void2 { scene, contexts, original in
        guard let scene = scene as? UIScene, let contexts = contexts as? Set<UIOpenURLContext> else {
          return original()
        }
        // Each link is an event, but the delegate is called once, after the modules.
        for context in contexts.inOrder {
          host.deliver(.sceneOpenURL, SceneURL(AppScene(scene.session), OpenedURL(context)), by: .hooks)
        }
        original()
      }
    case "scene:continueUserActivity:":
      return hook.void2 { scene, activity, original in
        guard let scene = scene as? UIScene, let activity = activity as? NSUserActivity else { return original() }
        let payload = SceneUserActivity(AppScene(scene.session), UserActivity(activity))
        host.deliver(.sceneContinueUserActivity, payload, by: .hooks) {
          original()
          return false
        }
      }
    case "scene:willContinueUserActivityWithType:":
      return hook.void2 { scene, type, original in
        guard let scene = scene as? UIScene else { return original() }
        let payload = SceneUserActivityType(AppScene(scene.session), type as? String ?? "")
        modules.trigger(.sceneWillContinueUserActivity, payload) { _ in original() }
      }
    case "scene:didFailToContinueUserActivityWithType:error:":
      return hook.void3 { scene, type, error, original in
        guard let scene = scene as? UIScene, let error = error as? any Error else { return original() }
        let failure = UserActivityFailure(type: type as? String ?? "", error: error)
        modules.trigger(
          .sceneDidFailToContinueUserActivity, SceneUserActivityFailure(AppScene(scene.session), failure)
        ) { _ in original() }
      }
    case "scene:didUpdateUserActivity:":
      return hook.void2 { scene, activity, original in
        guard let scene = scene as? UIScene, let activity = activity as? NSUserActivity else { return original() }
        let payload = SceneUserActivity(AppScene(scene.session), UserActivity(activity))
        modules.trigger(.sceneDidUpdateUserActivity, payload) { _ in original() }
      }
    case "stateRestorationActivityForScene:":
      return hook.object1 { scene, original in
        guard let scene = scene as? UIScene else { return original?() }
        return modules.trigger(.sceneSaveState, AppScene(scene.session)) { _ in
          (original?() as? NSUserActivity).map { UserActivity($0) }
        }?.systemActivity
      }
    case "scene:restoreInteractionStateWithUserActivity:":
      return hook.void2 { scene, activity, original in
        guard let scene = scene as? UIScene, let activity = activity as? NSUserActivity else { return original() }
        let payload = SceneUserActivity(AppScene(scene.session), UserActivity(activity))
        modules.trigger(.sceneRestoreState, payload) { _ in original() }
      }
    case "windowScene:userDidAcceptCloudKitShareWithMetadata:":
      return hook.void2 { scene, metadata, original in
        guard let scene = scene as? UIScene, let metadata = metadata as? CKShare.Metadata else { return original() }
        let share = CloudKitShare(metadata, in: AppScene(scene.session))
        host.deliver(.userDidAcceptCloudKitShare, share, by: .hooks, own: original)
      }
    default: return quickAction(selector, hook)
    }
  }

  private func notificationMethod(_ selector: String, _ hook: MethodHook<ObjectiveCMethodTable>) -> IMP {
    NotificationHooks.implementation(of: selector, hook, host)
  }
}
#endif
