#if canImport(ObjectiveC)
public import Foundation

/// The optional methods of a module that is written in Objective-C.
///
/// ```objc
/// @ExportModule(LegacyModule)
///
/// @interface LegacyModule : NSObject <REGModule>
/// @end
/// ```
///
/// A class does not need to adopt the protocol, because its methods determine its events, but
/// adopting it lets the compiler check them. All methods are called on the main thread. Of two
/// methods for the same event, the second has BeeHive's spelling and is called if the first is
/// missing. The catalog of `SystemEvent` derives the methods from the names of events; a test
/// compares both.
@objc(REGModule) public protocol REGModule: NSObjectProtocol {
  /// Prepares what other modules use.
  @objc optional func modSetUp(_ context: REGContext)
  /// Performs the work that needs other modules.
  @objc optional func modInit(_ context: REGContext)
  /// Performs the work that can wait for the turn after the start.
  @objc optional func modSplash(_ context: REGContext)
  /// Reverts the set-up.
  @objc optional func modTearDown(_ context: REGContext)

  /// A custom event was triggered: ``REGContext/customEvent``.
  @objc optional func modDidCustomEvent(_ context: REGContext)
  /// Every module is set up.
  @objc optional func modModulesDidSetUp(_ context: REGContext)
  /// Every module is initialized.
  @objc optional func modModulesDidInitialize(_ context: REGContext)
  /// Every module has finished starting.
  @objc optional func modModulesDidFinishStarting(_ context: REGContext)
  /// Modules are about to be torn down.
  @objc optional func modModulesWillTearDown(_ context: REGContext)
  /// A module was removed: ``REGContext/moduleName``.
  @objc optional func modModuleDidUnmount(_ context: REGContext)
  /// The spelling in BeeHive.
  @objc optional func modUnmount(_ context: REGContext)
  /// The app was launched. Answer with ``REGContext/answer(_:)``.
  @objc optional func modDidFinishLaunching(_ context: REGContext)
  /// The app is active.
  @objc optional func modDidBecomeActive(_ context: REGContext)
  /// The app will become inactive.
  @objc optional func modWillResignActive(_ context: REGContext)
  /// The app is in the background.
  @objc optional func modDidEnterBackground(_ context: REGContext)
  /// The app will enter the foreground.
  @objc optional func modWillEnterForeground(_ context: REGContext)
  /// The app is about to terminate.
  @objc optional func modWillTerminate(_ context: REGContext)
  /// Memory is low.
  @objc optional func modDidReceiveMemoryWarning(_ context: REGContext)
  /// The spelling in BeeHive.
  @objc optional func modDidReceiveMemoryWaring(_ context: REGContext)
  /// Midnight, a change of the time zone, or a corrected clock.
  @objc optional func modSignificantTimeDidChange(_ context: REGContext)
  /// Protected files are available.
  @objc optional func modProtectedDataDidBecomeAvailable(_ context: REGContext)
  /// Protected files will become unavailable.
  @objc optional func modProtectedDataWillBecomeUnavailable(_ context: REGContext)
  /// The app should open a link: ``REGContext/url``. Answer with ``REGContext/answer(_:)``.
  @objc optional func modOpenURL(_ context: REGContext)
  /// The user chose a quick action: ``REGContext/quickAction``. Answer with
  /// ``REGContext/answer(_:)``.
  @objc optional func modPerformQuickAction(_ context: REGContext)
  /// The spelling in BeeHive.
  @objc optional func modQuickAction(_ context: REGContext)
  /// The device has a token: ``REGContext/deviceToken``.
  @objc optional func modDidRegisterForRemoteNotifications(_ context: REGContext)
  /// The device has no token: ``REGContext/error``.
  @objc optional func modDidFailToRegisterForRemoteNotifications(_ context: REGContext)
  /// A server sent a notification: ``REGContext/userInfo``. Answer with
  /// ``REGContext/answerFetchResult(_:)``.
  @objc optional func modDidReceiveRemoteNotification(_ context: REGContext)
  /// A notification that the app scheduled is due.
  @objc optional func modDidReceiveLocalNotification(_ context: REGContext)
  /// A notification arrived while the app is active. Answer with
  /// ``REGContext/answerPresentationOptions(_:)``.
  @objc optional func modWillPresentNotification(_ context: REGContext)
  /// The user responded to a notification: ``REGContext/action``.
  @objc optional func modDidReceiveNotificationResponse(_ context: REGContext)
  /// The app will continue an activity: ``REGContext/activityType``. Answer with
  /// ``REGContext/answer(_:)``.
  @objc optional func modWillContinueUserActivity(_ context: REGContext)
  /// The app should continue an activity. Answer with ``REGContext/answer(_:)``.
  @objc optional func modContinueUserActivity(_ context: REGContext)
  /// An activity could not be fetched: ``REGContext/error``.
  @objc optional func modDidFailToContinueUserActivity(_ context: REGContext)
  /// An activity of the app was updated.
  @objc optional func modDidUpdateUserActivity(_ context: REGContext)
  /// The spelling in BeeHive.
  @objc optional func modDidUpdateContinueUserActivity(_ context: REGContext)
  /// Transfers of a background session ended: ``REGContext/identifier``.
  @objc optional func modHandleBackgroundURLSession(_ context: REGContext)
  /// The app on the watch sent a request. Answer with ``REGContext/reply(_:)``.
  @objc optional func modHandleWatchKitRequest(_ context: REGContext)
  /// The spelling in BeeHive.
  @objc optional func modHandleWatchKitExtensionRequest(_ context: REGContext)
  /// A scene connects: ``REGContext/sceneIdentifier``.
  @objc optional func modSceneWillConnect(_ context: REGContext)
  /// A scene disconnected.
  @objc optional func modSceneDidDisconnect(_ context: REGContext)
  /// A scene is active.
  @objc optional func modSceneDidBecomeActive(_ context: REGContext)
  /// A scene will become inactive.
  @objc optional func modSceneWillResignActive(_ context: REGContext)
  /// A scene will enter the foreground.
  @objc optional func modSceneWillEnterForeground(_ context: REGContext)
  /// A scene is in the background.
  @objc optional func modSceneDidEnterBackground(_ context: REGContext)
  /// A scene should open a link. Answer with ``REGContext/answer(_:)``.
  @objc optional func modSceneOpenURL(_ context: REGContext)
  /// A scene should continue an activity. Answer with ``REGContext/answer(_:)``.
  @objc optional func modSceneContinueUserActivity(_ context: REGContext)
}
#endif
