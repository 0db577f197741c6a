#if canImport(ObjectiveC)
public import Foundation

/// What a class written in Objective-C may do as a module; every method is optional.
///
/// ```objc
/// @ExportModule(LegacyModule)
///
/// @interface LegacyModule : NSObject <REGModule>
/// @end
/// ```
///
/// A class need not adopt it: the methods that it has count. That it does lets the compiler check them. All are called on the main
/// thread. Where two methods stand together the second is spelt as BeeHive has it, and called if there is no first.
/// The catalog of `SystemEvent` derives the methods from the names of events; a test compares both.
@objc(REGModule) public protocol REGModule: NSObjectProtocol {
  /// Makes ready what others may use.
  @objc optional func modSetUp(_ context: REGContext)
  /// Does what needs other modules.
  @objc optional func modInit(_ context: REGContext)
  /// Does what can wait for the turn after the start.
  @objc optional func modSplash(_ context: REGContext)
  /// Undoes what was set up.
  @objc optional func modTearDown(_ context: REGContext)

  /// What has a name alone: ``REGContext/customEvent``.
  @objc optional func modDidCustomEvent(_ context: REGContext)
  /// Every module is set up.
  @objc optional func modModulesDidSetUp(_ context: REGContext)
  /// Every module is initialised.
  @objc optional func modModulesDidInitialize(_ context: REGContext)
  /// Every module has finished starting.
  @objc optional func modModulesDidFinishStarting(_ context: REGContext)
  /// Modules are about to be torn down.
  @objc optional func modModulesWillTearDown(_ context: REGContext)
  /// A module was taken out: ``REGContext/moduleName``.
  @objc optional func modModuleDidUnmount(_ context: REGContext)
  /// The same.
  @objc optional func modUnmount(_ context: REGContext)
  /// The app was launched. Answered with ``REGContext/answer(_:)``.
  @objc optional func modDidFinishLaunching(_ context: REGContext)
  /// The app is in front.
  @objc optional func modDidBecomeActive(_ context: REGContext)
  /// The app will not be in front any more.
  @objc optional func modWillResignActive(_ context: REGContext)
  /// The app is not seen any more.
  @objc optional func modDidEnterBackground(_ context: REGContext)
  /// The app will be seen again.
  @objc optional func modWillEnterForeground(_ context: REGContext)
  /// The app is about to end.
  @objc optional func modWillTerminate(_ context: REGContext)
  /// Memory is short.
  @objc optional func modDidReceiveMemoryWarning(_ context: REGContext)
  /// The same.
  @objc optional func modDidReceiveMemoryWaring(_ context: REGContext)
  /// Midnight, another time zone or a corrected clock.
  @objc optional func modSignificantTimeDidChange(_ context: REGContext)
  /// Protected files can be read.
  @objc optional func modProtectedDataDidBecomeAvailable(_ context: REGContext)
  /// Protected files will not be readable.
  @objc optional func modProtectedDataWillBecomeUnavailable(_ context: REGContext)
  /// A link is to be opened: ``REGContext/url``. Answered with ``REGContext/answer(_:)``.
  @objc optional func modOpenURL(_ context: REGContext)
  /// An entry of the icon's menu was chosen: ``REGContext/quickAction``. Answered with ``REGContext/answer(_:)``.
  @objc optional func modPerformQuickAction(_ context: REGContext)
  /// The same.
  @objc optional func modQuickAction(_ context: REGContext)
  /// The device has a token: ``REGContext/deviceToken``.
  @objc optional func modDidRegisterForRemoteNotifications(_ context: REGContext)
  /// It has none: ``REGContext/error``.
  @objc optional func modDidFailToRegisterForRemoteNotifications(_ context: REGContext)
  /// A server sent a notification: ``REGContext/userInfo``. Answered with ``REGContext/answerFetchResult(_:)``.
  @objc optional func modDidReceiveRemoteNotification(_ context: REGContext)
  /// A notification that the app scheduled is due.
  @objc optional func modDidReceiveLocalNotification(_ context: REGContext)
  /// A notification came while the app is in front. Answered with ``REGContext/answerPresentationOptions(_:)``.
  @objc optional func modWillPresentNotification(_ context: REGContext)
  /// The user answered one: ``REGContext/action``.
  @objc optional func modDidReceiveNotificationResponse(_ context: REGContext)
  /// An activity will be continued: ``REGContext/activityType``. Answered with ``REGContext/answer(_:)``.
  @objc optional func modWillContinueUserActivity(_ context: REGContext)
  /// An activity is to be continued. Answered with ``REGContext/answer(_:)``.
  @objc optional func modContinueUserActivity(_ context: REGContext)
  /// An activity could not be fetched: ``REGContext/error``.
  @objc optional func modDidFailToContinueUserActivity(_ context: REGContext)
  /// The app's own activity was brought up to date.
  @objc optional func modDidUpdateUserActivity(_ context: REGContext)
  /// The same.
  @objc optional func modDidUpdateContinueUserActivity(_ context: REGContext)
  /// Transfers of a background session ended: ``REGContext/identifier``.
  @objc optional func modHandleBackgroundURLSession(_ context: REGContext)
  /// The app on the watch asks for something. Answered with ``REGContext/reply(_:)``.
  @objc optional func modHandleWatchKitRequest(_ context: REGContext)
  /// The same.
  @objc optional func modHandleWatchKitExtensionRequest(_ context: REGContext)
  /// A scene appears: ``REGContext/sceneIdentifier``.
  @objc optional func modSceneWillConnect(_ context: REGContext)
  /// A scene is gone.
  @objc optional func modSceneDidDisconnect(_ context: REGContext)
  /// A scene is in front.
  @objc optional func modSceneDidBecomeActive(_ context: REGContext)
  /// A scene will not be in front any more.
  @objc optional func modSceneWillResignActive(_ context: REGContext)
  /// A scene will be seen.
  @objc optional func modSceneWillEnterForeground(_ context: REGContext)
  /// A scene is not seen any more.
  @objc optional func modSceneDidEnterBackground(_ context: REGContext)
  /// A scene is to open a link. Answered with ``REGContext/answer(_:)``.
  @objc optional func modSceneOpenURL(_ context: REGContext)
  /// A scene is to continue an activity. Answered with ``REGContext/answer(_:)``.
  @objc optional func modSceneContinueUserActivity(_ context: REGContext)
}
#endif
