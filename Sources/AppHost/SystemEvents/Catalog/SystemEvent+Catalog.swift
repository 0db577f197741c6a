import Lifecycle

// To add a system event, declare its static property and list it here. Hooks and the Objective-C
// adapter derive their methods from this list. In delegates and `REGModule`, add a method by hand.
extension SystemEvent {
  /// Every system event, grouped by topic.
  package static let all: [SystemEvent] = [

    // The phases of the modules, which the manager itself announces.
    .init(.modulesDidSetUp),
    .init(.modulesDidInitialize),
    .init(.modulesDidFinishStarting),
    .init(.modulesWillTearDown),
    .init(.moduleDidUnregister, beeHive: "modUnmount:"),

    .init(.didFinishLaunching).from(
      uiKit: "application:didFinishLaunchingWithOptions:", appKit: "applicationDidFinishLaunching:",
      watchKit: "applicationDidFinishLaunching"),
    .init(.didBecomeActive).from(
      apps: "applicationDidBecomeActive:", watchKit: "applicationDidBecomeActive", isNotified: true),
    .init(.willResignActive).from(
      apps: "applicationWillResignActive:", watchKit: "applicationWillResignActive", isNotified: true),
    .init(.didEnterBackground).from(
      uiKit: "applicationDidEnterBackground:", watchKit: "applicationDidEnterBackground", isNotified: true),
    .init(.willEnterForeground).from(
      uiKit: "applicationWillEnterForeground:", watchKit: "applicationWillEnterForeground", isNotified: true),
    .init(.willTerminate).from(apps: "applicationWillTerminate:", isNotified: true),
    .init(.didReceiveMemoryWarning, beeHive: "modDidReceiveMemoryWaring:").from(
      uiKit: "applicationDidReceiveMemoryWarning:", isNotified: true),
    .init(.significantTimeDidChange).from(uiKit: "applicationSignificantTimeChange:", isNotified: true),
    .init(.protectedDataDidBecomeAvailable).from(apps: "applicationProtectedDataDidBecomeAvailable:", isNotified: true),
    .init(.protectedDataWillBecomeUnavailable).from(
      apps: "applicationProtectedDataWillBecomeUnavailable:", isNotified: true),
    .init(.openURL).from(
      uiKit: "application:openURL:options:", appKit: "application:openURLs:", scene: "scene:openURLContexts:",
      carriesLinks: true),
    .init(.performQuickAction, beeHive: "modQuickAction:").from(
      uiKit: "application:performActionForShortcutItem:completionHandler:",
      scene: "windowScene:performActionForShortcutItem:completionHandler:", carriesLinks: true),
    // Every method with `carriesLinks` can trigger this event.
    .init(.openLink),

    .init(.didRegisterForRemoteNotifications).from(
      apps: "application:didRegisterForRemoteNotificationsWithDeviceToken:",
      watchKit: "didRegisterForRemoteNotificationsWithDeviceToken:"),
    .init(.didFailToRegisterForRemoteNotifications).from(
      apps: "application:didFailToRegisterForRemoteNotificationsWithError:",
      watchKit: "didFailToRegisterForRemoteNotificationsWithError:"),
    .init(.didReceiveRemoteNotification).from(
      uiKit: "application:didReceiveRemoteNotification:fetchCompletionHandler:",
      appKit: "application:didReceiveRemoteNotification:",
      watchKit: "didReceiveRemoteNotification:fetchCompletionHandler:"),
    .init(.didReceiveLocalNotification).from(uiKit: "application:didReceiveLocalNotification:"),
    .init(.willPresentNotification).from(
      center: "userNotificationCenter:willPresentNotification:withCompletionHandler:"),
    .init(.didReceiveNotificationResponse).from(
      center: "userNotificationCenter:didReceiveNotificationResponse:withCompletionHandler:", carriesLinks: true),

    .init(.willContinueUserActivity).from(
      apps: "application:willContinueUserActivityWithType:", scene: "scene:willContinueUserActivityWithType:"),
    .init(.continueUserActivity).from(
      apps: "application:continueUserActivity:restorationHandler:", watchKit: "handleActivity:",
      scene: "scene:continueUserActivity:", carriesLinks: true),
    .init(.didFailToContinueUserActivity).from(
      apps: "application:didFailToContinueUserActivityWithType:error:",
      scene: "scene:didFailToContinueUserActivityWithType:error:"),
    .init(.didUpdateUserActivity, beeHive: "modDidUpdateContinueUserActivity:").from(
      apps: "application:didUpdateUserActivity:", scene: "scene:didUpdateUserActivity:"),
    .init(.userDidAcceptCloudKitShare).from(
      apps: "application:userDidAcceptCloudKitShareWithMetadata:", watchKit: "userDidAcceptCloudKitShareWithMetadata:",
      scene: "windowScene:userDidAcceptCloudKitShareWithMetadata:"),

    // The notification for `didEnterBackground` triggers this event in UIKit and WatchKit.
    .init(.finishInBackground),
    .init(.handleBackgroundURLSession).from(
      uiKit: "application:handleEventsForBackgroundURLSession:completionHandler:", watchKit: "handleBackgroundTasks:"),

    .init(.sceneWillConnect).from(scene: "scene:willConnectToSession:options:", carriesLinks: true),
    .init(.sceneDidDisconnect).from(scene: "sceneDidDisconnect:", isNotified: true),
    .init(.sceneWasDiscarded).from(uiKit: "application:didDiscardSceneSessions:"),
    .init(.sceneDidBecomeActive).from(scene: "sceneDidBecomeActive:", isNotified: true),
    .init(.sceneWillResignActive).from(scene: "sceneWillResignActive:", isNotified: true),
    .init(.sceneWillEnterForeground).from(scene: "sceneWillEnterForeground:", isNotified: true),
    .init(.sceneDidEnterBackground).from(scene: "sceneDidEnterBackground:", isNotified: true),
    .init(.sceneSaveState).from(scene: "stateRestorationActivityForScene:"),
    .init(.sceneRestoreState).from(scene: "scene:restoreInteractionStateWithUserActivity:"),
  ]

  /// The event that's identified by the name in its payload. Only Objective-C needs it.
  package static let custom = SystemEvent(.custom, named: "didCustomEvent")
}
