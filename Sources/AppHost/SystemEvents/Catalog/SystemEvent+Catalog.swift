import Lifecycle

// The only declarations of system events beside their types. Delegates, hooks, and the adapter for
// Objective-C derive their tables from them.
extension SystemEvent {
  /// Every system event, grouped by topic.
  package static let all: [SystemEvent] = modules + application + notifications + userActivity + background + scenes

  /// The event that is identified by a name and not by a type, which only Objective-C needs.
  package static let custom = SystemEvent("didCustomEvent", .application, .custom)

  private static let modules: [SystemEvent] = [
    .init("modulesDidSetUp", .modules, .modulesDidSetUp),
    .init("modulesDidInitialize", .modules, .modulesDidInitialize),
    .init("modulesDidFinishStarting", .modules, .modulesDidFinishStarting),
    .init("modulesWillTearDown", .modules, .modulesWillTearDown),
    .init("moduleDidUnmount", .modules, .moduleDidUnmount, beeHive: "modUnmount:") { $0.module = $1 },
  ]

  private static let application: [SystemEvent] = [
    .init(
      "didFinishLaunching", .application, .didFinishLaunching,
      methods: [
        .application("application:didFinishLaunchingWithOptions:"),
        .desktopApplication("applicationDidFinishLaunching:"),
        .watchApplication("applicationDidFinishLaunching"),
      ]),
    .init(
      "didBecomeActive", .application, .didBecomeActive,
      methods: [
        .application("applicationDidBecomeActive:", isNotified: true),
        .desktopApplication("applicationDidBecomeActive:", isNotified: true),
        .watchApplication("applicationDidBecomeActive", isNotified: true),
      ]),
    .init(
      "willResignActive", .application, .willResignActive,
      methods: [
        .application("applicationWillResignActive:", isNotified: true),
        .desktopApplication("applicationWillResignActive:", isNotified: true),
        .watchApplication("applicationWillResignActive", isNotified: true),
      ]),
    .init(
      "didEnterBackground", .application, .didEnterBackground,
      methods: [
        .application("applicationDidEnterBackground:", isNotified: true),
        .watchApplication("applicationDidEnterBackground", isNotified: true),
      ]),
    .init(
      "willEnterForeground", .application, .willEnterForeground,
      methods: [
        .application("applicationWillEnterForeground:", isNotified: true),
        .watchApplication("applicationWillEnterForeground", isNotified: true),
      ]),
    .init(
      "willTerminate", .application, .willTerminate,
      methods: [
        .application("applicationWillTerminate:", isNotified: true),
        .desktopApplication("applicationWillTerminate:", isNotified: true),
      ]),
    .init(
      "didReceiveMemoryWarning", .application, .didReceiveMemoryWarning,
      methods: [.application("applicationDidReceiveMemoryWarning:", isNotified: true)],
      beeHive: "modDidReceiveMemoryWaring:"),
    .init(
      "significantTimeDidChange", .application, .significantTimeDidChange,
      methods: [.application("applicationSignificantTimeChange:", isNotified: true)]),
    .init(
      "protectedDataDidBecomeAvailable", .application, .protectedDataDidBecomeAvailable,
      methods: [
        .application("applicationProtectedDataDidBecomeAvailable:", isNotified: true),
        .desktopApplication("applicationProtectedDataDidBecomeAvailable:", isNotified: true),
      ]),
    .init(
      "protectedDataWillBecomeUnavailable", .application, .protectedDataWillBecomeUnavailable,
      methods: [
        .application("applicationProtectedDataWillBecomeUnavailable:", isNotified: true),
        .desktopApplication("applicationProtectedDataWillBecomeUnavailable:", isNotified: true),
      ]),
    .init(
      "openURL", .application, .openURL,
      methods: [
        .application("application:openURL:options:", carriesLinks: true),
        .desktopApplication("application:openURLs:", carriesLinks: true),
      ]),
    .init(
      "performQuickAction", .application, .performQuickAction,
      methods: [
        .application("application:performActionForShortcutItem:completionHandler:", carriesLinks: true),
        .scene("windowScene:performActionForShortcutItem:completionHandler:", carriesLinks: true),
      ], beeHive: "modQuickAction:"),
    // Every method with `carriesLinks` can trigger this event.
    .init("openLink", .application, .openLink),
  ]

  private static let notifications: [SystemEvent] = [
    .init(
      "didRegisterForRemoteNotifications", .notifications, .didRegisterForRemoteNotifications,
      methods: [
        .application("application:didRegisterForRemoteNotificationsWithDeviceToken:"),
        .desktopApplication("application:didRegisterForRemoteNotificationsWithDeviceToken:"),
        .watchApplication("didRegisterForRemoteNotificationsWithDeviceToken:"),
      ]),
    .init(
      "didFailToRegisterForRemoteNotifications", .notifications, .didFailToRegisterForRemoteNotifications,
      methods: [
        .application("application:didFailToRegisterForRemoteNotificationsWithError:"),
        .desktopApplication("application:didFailToRegisterForRemoteNotificationsWithError:"),
        .watchApplication("didFailToRegisterForRemoteNotificationsWithError:"),
      ]
    ) { $0.error = $1 },
    .init(
      "didReceiveRemoteNotification", .notifications, .didReceiveRemoteNotification,
      methods: [
        .application("application:didReceiveRemoteNotification:fetchCompletionHandler:"),
        .desktopApplication("application:didReceiveRemoteNotification:"),
        .watchApplication("didReceiveRemoteNotification:fetchCompletionHandler:"),
      ]),
    .init(
      "didReceiveLocalNotification", .notifications, .didReceiveLocalNotification,
      methods: [.application("application:didReceiveLocalNotification:")]),
    .init(
      "willPresentNotification", .notifications, .willPresentNotification,
      methods: [.notificationCenter("userNotificationCenter:willPresentNotification:withCompletionHandler:")]),
    .init(
      "didReceiveNotificationResponse", .notifications, .didReceiveNotificationResponse,
      methods: [
        .notificationCenter(
          "userNotificationCenter:didReceiveNotificationResponse:withCompletionHandler:", carriesLinks: true)
      ]),
  ]

  private static let userActivity: [SystemEvent] = [
    .init(
      "willContinueUserActivity", .userActivity, .willContinueUserActivity,
      methods: [
        .application("application:willContinueUserActivityWithType:"),
        .desktopApplication("application:willContinueUserActivityWithType:"),
      ]
    ) { $0.activity.type = $1 },
    .init(
      "continueUserActivity", .userActivity, .continueUserActivity,
      methods: [
        .application("application:continueUserActivity:restorationHandler:", carriesLinks: true),
        .desktopApplication("application:continueUserActivity:restorationHandler:", carriesLinks: true),
        .watchApplication("handleActivity:", carriesLinks: true),
      ]),
    .init(
      "didFailToContinueUserActivity", .userActivity, .didFailToContinueUserActivity,
      methods: [
        .application("application:didFailToContinueUserActivityWithType:error:"),
        .desktopApplication("application:didFailToContinueUserActivityWithType:error:"),
      ]),
    .init(
      "didUpdateUserActivity", .userActivity, .didUpdateUserActivity,
      methods: [
        .application("application:didUpdateUserActivity:"), .desktopApplication("application:didUpdateUserActivity:"),
      ], beeHive: "modDidUpdateContinueUserActivity:"),
    .init(
      "userDidAcceptCloudKitShare", .userActivity, .userDidAcceptCloudKitShare,
      methods: [
        .application("application:userDidAcceptCloudKitShareWithMetadata:"),
        .scene("windowScene:userDidAcceptCloudKitShareWithMetadata:"),
        .desktopApplication("application:userDidAcceptCloudKitShareWithMetadata:"),
        .watchApplication("userDidAcceptCloudKitShareWithMetadata:"),
      ]),
  ]

  private static let background: [SystemEvent] = [
    // The methods of `didEnterBackground` trigger this event as well.
    .init("finishInBackground", .background, .finishInBackground),
    .init(
      "handleBackgroundURLSession", .background, .handleBackgroundURLSession,
      methods: [
        .application("application:handleEventsForBackgroundURLSession:completionHandler:"),
        .watchApplication("handleBackgroundTasks:"),
      ]
    ) { $0.identifier = $1 },
    .init(
      "handleWatchKitRequest", .background, .handleWatchKitRequest,
      methods: [.application("application:handleWatchKitExtensionRequest:reply:")],
      beeHive: "modHandleWatchKitExtensionRequest:"
    ) { $0.userInfo = $1 },
  ]

  private static let scenes: [SystemEvent] = [
    .init(
      "sceneWillConnect", .scenes, .sceneWillConnect,
      methods: [
        .scene(
          "scene:willConnectToSession:options:", carriesLinks: true, otherEvents: DelegateMethod.connectionEvents)
      ]),
    .init(
      "sceneDidDisconnect", .scenes, .sceneDidDisconnect, methods: [.scene("sceneDidDisconnect:", isNotified: true)]),
    .init(
      "sceneWasDiscarded", .scenes, .sceneWasDiscarded, methods: [.application("application:didDiscardSceneSessions:")]),
    .init(
      "sceneDidBecomeActive", .scenes, .sceneDidBecomeActive,
      methods: [.scene("sceneDidBecomeActive:", isNotified: true)]),
    .init(
      "sceneWillResignActive", .scenes, .sceneWillResignActive,
      methods: [.scene("sceneWillResignActive:", isNotified: true)]),
    .init(
      "sceneWillEnterForeground", .scenes, .sceneWillEnterForeground,
      methods: [.scene("sceneWillEnterForeground:", isNotified: true)]),
    .init(
      "sceneDidEnterBackground", .scenes, .sceneDidEnterBackground,
      methods: [.scene("sceneDidEnterBackground:", isNotified: true)]),
    .init("sceneOpenURL", .scenes, .sceneOpenURL, methods: [.scene("scene:openURLContexts:", carriesLinks: true)]),
    .init(
      "sceneContinueUserActivity", .scenes, .sceneContinueUserActivity,
      methods: [.scene("scene:continueUserActivity:", carriesLinks: true)]
    ),
    .init(
      "sceneWillContinueUserActivity", .scenes, .sceneWillContinueUserActivity,
      methods: [.scene("scene:willContinueUserActivityWithType:")]),
    .init(
      "sceneDidFailToContinueUserActivity", .scenes, .sceneDidFailToContinueUserActivity,
      methods: [.scene("scene:didFailToContinueUserActivityWithType:error:")]),
    .init(
      "sceneDidUpdateUserActivity", .scenes, .sceneDidUpdateUserActivity,
      methods: [.scene("scene:didUpdateUserActivity:")]),
    .init("sceneSaveState", .scenes, .sceneSaveState, methods: [.scene("stateRestorationActivityForScene:")]),
    .init(
      "sceneRestoreState", .scenes, .sceneRestoreState,
      methods: [.scene("scene:restoreInteractionStateWithUserActivity:")]),
  ]
}
