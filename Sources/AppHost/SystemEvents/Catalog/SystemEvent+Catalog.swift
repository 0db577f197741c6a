import Lifecycle

// The only declarations of system events beside their types. Delegates, hooks, and the adapter for
// Objective-C derive their tables from them.
extension SystemEvent {
  /// Every system event, grouped by topic.
  package static let all: [SystemEvent] = [
    // The phases of the modules, which the manager announces itself.
    .init(.modulesDidSetUp),
    .init(.modulesDidInitialize),
    .init(.modulesDidFinishStarting),
    .init(.modulesWillTearDown),
    .init(.moduleDidUnmount, named: "moduleDidUnmount", beeHive: "modUnmount:") { $0.module = $1 },

    // The application.
    .init(
      .didFinishLaunching,
      .init(
        uiKit: "application:didFinishLaunchingWithOptions:", appKit: "applicationDidFinishLaunching:",
        watchKit: "applicationDidFinishLaunching")),
    .init(
      .didBecomeActive,
      .init(apps: "applicationDidBecomeActive:", watchKit: "applicationDidBecomeActive", isNotified: true)),
    .init(
      .willResignActive,
      .init(apps: "applicationWillResignActive:", watchKit: "applicationWillResignActive", isNotified: true)),
    .init(
      .didEnterBackground,
      .init(uiKit: "applicationDidEnterBackground:", watchKit: "applicationDidEnterBackground", isNotified: true)),
    .init(
      .willEnterForeground,
      .init(uiKit: "applicationWillEnterForeground:", watchKit: "applicationWillEnterForeground", isNotified: true)),
    .init(.willTerminate, .init(apps: "applicationWillTerminate:", isNotified: true)),
    .init(
      .didReceiveMemoryWarning, .init(uiKit: "applicationDidReceiveMemoryWarning:", isNotified: true),
      beeHive: "modDidReceiveMemoryWaring:"),
    .init(.significantTimeDidChange, .init(uiKit: "applicationSignificantTimeChange:", isNotified: true)),
    .init(
      .protectedDataDidBecomeAvailable, .init(apps: "applicationProtectedDataDidBecomeAvailable:", isNotified: true)),
    .init(
      .protectedDataWillBecomeUnavailable,
      .init(apps: "applicationProtectedDataWillBecomeUnavailable:", isNotified: true)),
    .init(.openURL, .init(uiKit: "application:openURL:options:", appKit: "application:openURLs:", carriesLinks: true)),
    .init(
      .performQuickAction,
      .init(
        uiKit: "application:performActionForShortcutItem:completionHandler:",
        scene: "windowScene:performActionForShortcutItem:completionHandler:", carriesLinks: true),
      beeHive: "modQuickAction:"),
    // Every method with `carriesLinks` can trigger this event.
    .init(.openLink),

    // Notifications.
    .init(
      .didRegisterForRemoteNotifications,
      .init(
        apps: "application:didRegisterForRemoteNotificationsWithDeviceToken:",
        watchKit: "didRegisterForRemoteNotificationsWithDeviceToken:"), named: "didRegisterForRemoteNotifications"),
    .init(
      .didFailToRegisterForRemoteNotifications,
      .init(
        apps: "application:didFailToRegisterForRemoteNotificationsWithError:",
        watchKit: "didFailToRegisterForRemoteNotificationsWithError:"), named: "didFailToRegisterForRemoteNotifications"
    ) { $0.error = $1 },
    .init(
      .didReceiveRemoteNotification,
      .init(
        uiKit: "application:didReceiveRemoteNotification:fetchCompletionHandler:",
        appKit: "application:didReceiveRemoteNotification:",
        watchKit: "didReceiveRemoteNotification:fetchCompletionHandler:"), named: "didReceiveRemoteNotification"),
    .init(
      .didReceiveLocalNotification, .init(uiKit: "application:didReceiveLocalNotification:"),
      named: "didReceiveLocalNotification"),
    .init(
      .willPresentNotification, .init(center: "userNotificationCenter:willPresentNotification:withCompletionHandler:"),
      named: "willPresentNotification"),
    .init(
      .didReceiveNotificationResponse,
      .init(center: "userNotificationCenter:didReceiveNotificationResponse:withCompletionHandler:", carriesLinks: true),
      named: "didReceiveNotificationResponse"),

    // User activity.
    .init(
      .willContinueUserActivity, .init(apps: "application:willContinueUserActivityWithType:"),
      named: "willContinueUserActivity"
    ) { $0.activityType = $1 },
    .init(
      .continueUserActivity,
      .init(
        apps: "application:continueUserActivity:restorationHandler:", watchKit: "handleActivity:", carriesLinks: true),
      named: "continueUserActivity"),
    .init(
      .didFailToContinueUserActivity, .init(apps: "application:didFailToContinueUserActivityWithType:error:"),
      named: "didFailToContinueUserActivity"),
    .init(
      .didUpdateUserActivity, .init(apps: "application:didUpdateUserActivity:"), named: "didUpdateUserActivity",
      beeHive: "modDidUpdateContinueUserActivity:"),
    .init(
      .userDidAcceptCloudKitShare,
      .init(
        apps: "application:userDidAcceptCloudKitShareWithMetadata:",
        watchKit: "userDidAcceptCloudKitShareWithMetadata:",
        scene: "windowScene:userDidAcceptCloudKitShareWithMetadata:"), named: "userDidAcceptCloudKitShare"),

    // Background.
    // The methods of `didEnterBackground` trigger this event as well.
    .init(.finishInBackground, named: "finishInBackground"),
    .init(
      .handleBackgroundURLSession,
      .init(
        uiKit: "application:handleEventsForBackgroundURLSession:completionHandler:", watchKit: "handleBackgroundTasks:"),
      named: "handleBackgroundURLSession"
    ) { $0.identifier = $1 },
    .init(
      .handleWatchKitRequest, .init(uiKit: "application:handleWatchKitExtensionRequest:reply:"),
      named: "handleWatchKitRequest", beeHive: "modHandleWatchKitExtensionRequest:"
    ) { $0.userInfo = $1 },

    // Scenes.
    .init(.sceneWillConnect, .init(scene: "scene:willConnectToSession:options:", carriesLinks: true)),
    .init(.sceneDidDisconnect, .init(scene: "sceneDidDisconnect:", isNotified: true)),
    .init(.sceneWasDiscarded, .init(uiKit: "application:didDiscardSceneSessions:")),
    .init(.sceneDidBecomeActive, .init(scene: "sceneDidBecomeActive:", isNotified: true)),
    .init(.sceneWillResignActive, .init(scene: "sceneWillResignActive:", isNotified: true)),
    .init(.sceneWillEnterForeground, .init(scene: "sceneWillEnterForeground:", isNotified: true)),
    .init(.sceneDidEnterBackground, .init(scene: "sceneDidEnterBackground:", isNotified: true)),
    .init(.sceneOpenURL, .init(scene: "scene:openURLContexts:", carriesLinks: true)),
    .init(.sceneContinueUserActivity, .init(scene: "scene:continueUserActivity:", carriesLinks: true)),
    .init(.sceneWillContinueUserActivity, .init(scene: "scene:willContinueUserActivityWithType:")),
    .init(.sceneDidFailToContinueUserActivity, .init(scene: "scene:didFailToContinueUserActivityWithType:error:")),
    .init(.sceneDidUpdateUserActivity, .init(scene: "scene:didUpdateUserActivity:")),
    .init(.sceneSaveState, .init(scene: "stateRestorationActivityForScene:")),
    .init(.sceneRestoreState, .init(scene: "scene:restoreInteractionStateWithUserActivity:")),
  ]

  /// The event that is identified by a name and not by a type, which only Objective-C needs.
  package static let custom = SystemEvent(.custom, named: "didCustomEvent")
}
