public import Foundation
public import Lifecycle
public import Registry

/// Passes on to modules what a system tells the app, one method for each callback.
///
/// ```swift
/// let host = SystemEventHost(modules)
/// func applicationDidBecomeActive(_ application: UIApplication) { host.didBecomeActive() }
/// ```
///
/// Every method is called on the main actor, in the callback it stands for, and returns what the system wants to know.
/// Completions are called exactly once, on the main actor, after all modules have answered or ``timeLimit`` has passed.
@MainActor public final class SystemEventHost {
  /// Who is told.
  public let modules: ModuleManager

  /// How many seconds modules have to answer where there is a completion. UIKit gives an app 30.
  public var timeLimit: Double

  public init(_ modules: ModuleManager = .shared, timeLimit: Double = 25) {
    self.modules = modules
    self.timeLimit = timeLimit
  }

  private func ask<Payload, Outcome>(
    _ event: AsyncEvent<Payload, Outcome>, _ payload: Payload, _ completion: @escaping @MainActor (Outcome) -> Void
  ) {
    modules.trigger(event, payload, timeLimit: timeLimit, completion: completion)
  }

  // MARK: - Application

  /// Passes on ``Lifecycle/Event/didFinishLaunching``.
  public func didFinishLaunching(_ options: LaunchOptions = LaunchOptions()) -> Bool {
    modules.trigger(.didFinishLaunching, options)
  }

  /// Passes on ``Lifecycle/Event/didBecomeActive``.
  public func didBecomeActive() { modules.trigger(.didBecomeActive) }

  /// Passes on ``Lifecycle/Event/willResignActive``.
  public func willResignActive() { modules.trigger(.willResignActive) }

  /// Passes on ``Lifecycle/Event/didEnterBackground``.
  public func didEnterBackground() { modules.trigger(.didEnterBackground) }

  /// Passes on ``Lifecycle/Event/willEnterForeground``.
  public func willEnterForeground() { modules.trigger(.willEnterForeground) }

  /// Passes on ``Lifecycle/Event/willTerminate``.
  public func willTerminate() { modules.trigger(.willTerminate) }

  /// Passes on ``Lifecycle/Event/didReceiveMemoryWarning``.
  public func didReceiveMemoryWarning() { modules.trigger(.didReceiveMemoryWarning) }

  /// Passes on ``Lifecycle/Event/significantTimeDidChange``.
  public func significantTimeDidChange() { modules.trigger(.significantTimeDidChange) }

  /// Passes on ``Lifecycle/Event/protectedDataDidBecomeAvailable``.
  public func protectedDataDidBecomeAvailable() { modules.trigger(.protectedDataDidBecomeAvailable) }

  /// Passes on ``Lifecycle/Event/protectedDataWillBecomeUnavailable``.
  public func protectedDataWillBecomeUnavailable() { modules.trigger(.protectedDataWillBecomeUnavailable) }

  /// Passes on ``Lifecycle/Event/openURL``.
  public func open(_ url: OpenedURL) -> Bool { modules.trigger(.openURL, url) }

  /// Passes on ``Lifecycle/AsyncEvent/performQuickAction``.
  public func perform(_ action: QuickAction, completion: @escaping @MainActor (Bool) -> Void) {
    ask(.performQuickAction, action, completion)
  }

  // MARK: - Notifications

  /// Passes on ``Lifecycle/Event/didRegisterForRemoteNotifications``.
  public func didRegisterForRemoteNotifications(deviceToken: Data) {
    modules.trigger(.didRegisterForRemoteNotifications, deviceToken)
  }

  /// Passes on ``Lifecycle/Event/didFailToRegisterForRemoteNotifications``.
  public func didFailToRegisterForRemoteNotifications(_ error: any Error) {
    modules.trigger(.didFailToRegisterForRemoteNotifications, error)
  }

  /// Passes on ``Lifecycle/AsyncEvent/didReceiveRemoteNotification``.
  public func didReceive(
    _ notification: RemoteNotification, completion: @escaping @MainActor (FetchResult) -> Void
  ) {
    ask(.didReceiveRemoteNotification, notification, completion)
  }

  /// Passes on ``Lifecycle/Event/didReceiveLocalNotification``.
  public func didReceive(_ notification: LocalNotification) {
    modules.trigger(.didReceiveLocalNotification, notification)
  }

  /// Passes on ``Lifecycle/AsyncEvent/willPresentNotification``.
  public func willPresent(
    _ notification: UserNotification, completion: @escaping @MainActor (PresentationOptions) -> Void
  ) {
    ask(.willPresentNotification, notification, completion)
  }

  /// Passes on ``Lifecycle/AsyncEvent/didReceiveNotificationResponse``.
  public func didReceive(_ response: NotificationResponse, completion: @escaping @MainActor () -> Void) {
    ask(.didReceiveNotificationResponse, response) { _ in completion() }
  }

  // MARK: - User activity

  /// Passes on ``Lifecycle/Event/willContinueUserActivity``.
  public func willContinueUserActivity(type: String) -> Bool { modules.trigger(.willContinueUserActivity, type) }

  /// Passes on ``Lifecycle/Event/continueUserActivity``.
  public func `continue`(_ activity: UserActivity) -> Bool { modules.trigger(.continueUserActivity, activity) }

  /// Passes on ``Lifecycle/Event/didFailToContinueUserActivity``.
  public func didFailToContinueUserActivity(type: String, error: any Error) {
    modules.trigger(.didFailToContinueUserActivity, UserActivityFailure(type: type, error: error))
  }

  /// Passes on ``Lifecycle/Event/didUpdateUserActivity``.
  public func didUpdate(_ activity: UserActivity) { modules.trigger(.didUpdateUserActivity, activity) }

  // MARK: - Background

  /// Passes on ``Lifecycle/AsyncEvent/handleBackgroundURLSession``.
  public func handleBackgroundURLSession(_ identifier: String, completion: @escaping @MainActor () -> Void) {
    ask(.handleBackgroundURLSession, identifier) { _ in completion() }
  }

  /// Passes on ``Lifecycle/AsyncEvent/handleWatchKitRequest``.
  public func handleWatchKitRequest(
    _ userInfo: [String: PropertyValue]?, reply: @escaping @MainActor ([String: PropertyValue]?) -> Void
  ) {
    ask(.handleWatchKitRequest, userInfo, reply)
  }

  // MARK: - Scenes

  /// Passes on ``Lifecycle/Event/sceneWillConnect``.
  public func sceneWillConnect(_ connection: SceneConnection) { modules.trigger(.sceneWillConnect, connection) }

  /// Passes on ``Lifecycle/Event/sceneDidDisconnect``.
  public func sceneDidDisconnect(_ scene: AppScene) { modules.trigger(.sceneDidDisconnect, scene) }

  /// Passes on ``Lifecycle/Event/sceneDidBecomeActive``.
  public func sceneDidBecomeActive(_ scene: AppScene) { modules.trigger(.sceneDidBecomeActive, scene) }

  /// Passes on ``Lifecycle/Event/sceneWillResignActive``.
  public func sceneWillResignActive(_ scene: AppScene) { modules.trigger(.sceneWillResignActive, scene) }

  /// Passes on ``Lifecycle/Event/sceneWillEnterForeground``.
  public func sceneWillEnterForeground(_ scene: AppScene) { modules.trigger(.sceneWillEnterForeground, scene) }

  /// Passes on ``Lifecycle/Event/sceneDidEnterBackground``.
  public func sceneDidEnterBackground(_ scene: AppScene) { modules.trigger(.sceneDidEnterBackground, scene) }

  /// Passes on ``Lifecycle/Event/sceneOpenURL``.
  @discardableResult public func scene(_ scene: AppScene, open url: OpenedURL) -> Bool {
    modules.trigger(.sceneOpenURL, SceneURL(scene, url))
  }

  /// Passes on ``Lifecycle/Event/sceneContinueUserActivity``.
  @discardableResult public func scene(_ scene: AppScene, continue activity: UserActivity) -> Bool {
    modules.trigger(.sceneContinueUserActivity, SceneUserActivity(scene, activity))
  }
}
