import Lifecycle

// The only declarations of system events beside their types. Delegates, hooks, and the adapter for
// Objective-C derive their tables from them.
extension SystemEvent {
  /// Every system event, grouped by topic.
  package static let all: [SystemEvent] = [
    // The phases of the modules, which the manager announces itself.
    .init("modulesDidSetUp", .modulesDidSetUp),
    .init("modulesDidInitialize", .modulesDidInitialize),
    .init("modulesDidFinishStarting", .modulesDidFinishStarting),
    .init("modulesWillTearDown", .modulesWillTearDown),
    .init("moduleDidUnmount", .moduleDidUnmount, beeHive: "modUnmount:") { $0.module = $1 },

    // The application.
    .init(
      "didFinishLaunching", .didFinishLaunching,
      .init(
        uiKit: "application:didFinishLaunchingWithOptions:", appKit: "applicationDidFinishLaunching:",
        watchKit: "applicationDidFinishLaunching")),
    .init(
      "didBecomeActive", .didBecomeActive,
      .init(apps: "applicationDidBecomeActive:", watchKit: "applicationDidBecomeActive", isNotified: true)),
    .init(
      "willResignActive", .willResignActive,
      .init(apps: "applicationWillResignActive:", watchKit: "applicationWillResignActive", isNotified: true)),
    .init(
      "didEnterBackground", .didEnterBackground,
      .init(uiKit: "applicationDidEnterBackground:", watchKit: "applicationDidEnterBackground", isNotified: true)),
    .init(
      "willEnterForeground", .willEnterForeground,
      .init(uiKit: "applicationWillEnterForeground:", watchKit: "applicationWillEnterForeground", isNotified: true)),
    .init("willTerminate", .willTerminate, .init(apps: "applicationWillTerminate:", isNotified: true)),
    .init(
      "didReceiveMemoryWarning", .didReceiveMemoryWarning,
      .init(uiKit: "applicationDidReceiveMemoryWarning:", isNotified: true), beeHive: "modDidReceiveMemoryWaring:"),
    .init(
      "significantTimeDidChange", .significantTimeDidChange,
      .init(uiKit: "applicationSignificantTimeChange:", isNotified: true)),
    .init(
      "protectedDataDidBecomeAvailable", .protectedDataDidBecomeAvailable,
      .init(apps: "applicationProtectedDataDidBecomeAvailable:", isNotified: true)),
    .init(
      "protectedDataWillBecomeUnavailable", .protectedDataWillBecomeUnavailable,
      .init(apps: "applicationProtectedDataWillBecomeUnavailable:", isNotified: true)),
    .init(
      "openURL", .openURL,
      .init(uiKit: "application:openURL:options:", appKit: "application:openURLs:", carriesLinks: true)),
    .init(
      "performQuickAction", .performQuickAction,
      .init(
        uiKit: "application:performActionForShortcutItem:completionHandler:",
        scene: "windowScene:performActionForShortcutItem:completionHandler:", carriesLinks: true),
      beeHive: "modQuickAction:"),
    // Every method with `carriesLinks` can trigger this event.
    .init("openLink", .openLink),

    // Notifications.
    .init(
      "didRegisterForRemoteNotifications", .didRegisterForRemoteNotifications,
      .init(
        apps: "application:didRegisterForRemoteNotificationsWithDeviceToken:",
        watchKit: "didRegisterForRemoteNotificationsWithDeviceToken:")),
    .init(
      "didFailToRegisterForRemoteNotifications", .didFailToRegisterForRemoteNotifications,
      .init(
        apps: "application:didFailToRegisterForRemoteNotificationsWithError:",
        watchKit: "didFailToRegisterForRemoteNotificationsWithError:")
    ) { $0.error = $1 },
    .init(
      "didReceiveRemoteNotification", .didReceiveRemoteNotification,
      .init(
        uiKit: "application:didReceiveRemoteNotification:fetchCompletionHandler:",
        appKit: "application:didReceiveRemoteNotification:",
        watchKit: "didReceiveRemoteNotification:fetchCompletionHandler:")),
    .init(
      "didReceiveLocalNotification", .didReceiveLocalNotification,
      .init(uiKit: "application:didReceiveLocalNotification:")),
    .init(
      "willPresentNotification", .willPresentNotification,
      .init(center: "userNotificationCenter:willPresentNotification:withCompletionHandler:")),
    .init(
      "didReceiveNotificationResponse", .didReceiveNotificationResponse,
      .init(center: "userNotificationCenter:didReceiveNotificationResponse:withCompletionHandler:", carriesLinks: true)),

    // User activity.
    .init(
      "willContinueUserActivity", .willContinueUserActivity,
      .init(apps: "application:willContinueUserActivityWithType:")
    ) { $0.activityType = $1 },
    .init(
      "continueUserActivity", .continueUserActivity,
      .init(
        apps: "application:continueUserActivity:restorationHandler:", watchKit: "handleActivity:", carriesLinks: true)),
    .init(
      "didFailToContinueUserActivity", .didFailToContinueUserActivity,
      .init(apps: "application:didFailToContinueUserActivityWithType:error:")),
    .init(
      "didUpdateUserActivity", .didUpdateUserActivity, .init(apps: "application:didUpdateUserActivity:"),
      beeHive: "modDidUpdateContinueUserActivity:"),
    .init(
      "userDidAcceptCloudKitShare", .userDidAcceptCloudKitShare,
      .init(
        apps: "application:userDidAcceptCloudKitShareWithMetadata:",
        watchKit: "userDidAcceptCloudKitShareWithMetadata:",
        scene: "windowScene:userDidAcceptCloudKitShareWithMetadata:")),

    // Background.
    // The methods of `didEnterBackground` trigger this event as well.
    .init("finishInBackground", .finishInBackground),
    .init(
      "handleBackgroundURLSession", .handleBackgroundURLSession,
      .init(
        uiKit: "application:handleEventsForBackgroundURLSession:completionHandler:", watchKit: "handleBackgroundTasks:")
    ) { $0.identifier = $1 },
    .init(
      "handleWatchKitRequest", .handleWatchKitRequest,
      .init(uiKit: "application:handleWatchKitExtensionRequest:reply:"), beeHive: "modHandleWatchKitExtensionRequest:"
    ) { $0.userInfo = $1 },

    // Scenes.
    .init(
      "sceneWillConnect", .sceneWillConnect, .init(scene: "scene:willConnectToSession:options:", carriesLinks: true)),
    .init("sceneDidDisconnect", .sceneDidDisconnect, .init(scene: "sceneDidDisconnect:", isNotified: true)),
    .init("sceneWasDiscarded", .sceneWasDiscarded, .init(uiKit: "application:didDiscardSceneSessions:")),
    .init("sceneDidBecomeActive", .sceneDidBecomeActive, .init(scene: "sceneDidBecomeActive:", isNotified: true)),
    .init("sceneWillResignActive", .sceneWillResignActive, .init(scene: "sceneWillResignActive:", isNotified: true)),
    .init(
      "sceneWillEnterForeground", .sceneWillEnterForeground, .init(scene: "sceneWillEnterForeground:", isNotified: true)
    ),
    .init(
      "sceneDidEnterBackground", .sceneDidEnterBackground, .init(scene: "sceneDidEnterBackground:", isNotified: true)),
    .init("sceneOpenURL", .sceneOpenURL, .init(scene: "scene:openURLContexts:", carriesLinks: true)),
    .init(
      "sceneContinueUserActivity", .sceneContinueUserActivity,
      .init(scene: "scene:continueUserActivity:", carriesLinks: true)),
    .init(
      "sceneWillContinueUserActivity", .sceneWillContinueUserActivity,
      .init(scene: "scene:willContinueUserActivityWithType:")),
    .init(
      "sceneDidFailToContinueUserActivity", .sceneDidFailToContinueUserActivity,
      .init(scene: "scene:didFailToContinueUserActivityWithType:error:")),
    .init("sceneDidUpdateUserActivity", .sceneDidUpdateUserActivity, .init(scene: "scene:didUpdateUserActivity:")),
    .init("sceneSaveState", .sceneSaveState, .init(scene: "stateRestorationActivityForScene:")),
    .init("sceneRestoreState", .sceneRestoreState, .init(scene: "scene:restoreInteractionStateWithUserActivity:")),
  ]

  /// The event that is identified by a name and not by a type, which only Objective-C needs.
  package static let custom = SystemEvent("didCustomEvent", .custom)
}
