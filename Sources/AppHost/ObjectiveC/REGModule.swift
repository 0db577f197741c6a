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
/// A class doesn't have to adopt the protocol, because its methods determine its events, but if it
/// does, the compiler checks the methods. All methods are called on the main thread. Some events
/// have a second method in BeeHive's spelling, which is called if the class lacks the first method.
// `SystemEvent` derives selectors from event names; a test compares them with these methods.
@objc(REGModule) public protocol REGModule: NSObjectProtocol {
  /// Prepares what other modules use.
  @objc optional func modSetUp(_ context: REGContext)
  /// Performs work that needs other modules.
  @objc optional func modInit(_ context: REGContext)
  /// Performs work that can wait until the turn after the start.
  @objc optional func modSplash(_ context: REGContext)
  /// Reverts the setup.
  @objc optional func modTearDown(_ context: REGContext)

  /// Handles a custom event. ``REGContext/customEvent`` is its name.
  @objc optional func modDidCustomEvent(_ context: REGContext)
  /// Responds when every module is set up.
  @objc optional func modModulesDidSetUp(_ context: REGContext)
  /// Responds when every module is initialized.
  @objc optional func modModulesDidInitialize(_ context: REGContext)
  /// Responds when every module has finished starting.
  @objc optional func modModulesDidFinishStarting(_ context: REGContext)
  /// Responds when modules are about to be torn down.
  @objc optional func modModulesWillTearDown(_ context: REGContext)
  /// Responds when a module is removed. ``REGContext/moduleName`` is its name.
  @objc optional func modModuleDidUnregister(_ context: REGContext)
  /// Responds when a module is removed, in BeeHive's spelling.
  @objc optional func modUnmount(_ context: REGContext)
  /// Handles the launch of the app. Answer with ``REGContext/answer(_:)``.
  @objc optional func modDidFinishLaunching(_ context: REGContext)
  /// Responds when the app has become active.
  @objc optional func modDidBecomeActive(_ context: REGContext)
  /// Responds when the app is about to become inactive.
  @objc optional func modWillResignActive(_ context: REGContext)
  /// Responds when the app has entered the background.
  @objc optional func modDidEnterBackground(_ context: REGContext)
  /// Responds when the app is about to enter the foreground.
  @objc optional func modWillEnterForeground(_ context: REGContext)
  /// Responds when the app is about to terminate.
  @objc optional func modWillTerminate(_ context: REGContext)
  /// Responds to low memory.
  @objc optional func modDidReceiveMemoryWarning(_ context: REGContext)
  /// Responds to low memory, in BeeHive's spelling.
  @objc optional func modDidReceiveMemoryWaring(_ context: REGContext)
  /// Responds to midnight, a time zone change, or a clock correction.
  @objc optional func modSignificantTimeDidChange(_ context: REGContext)
  /// Responds when protected files have become available.
  @objc optional func modProtectedDataDidBecomeAvailable(_ context: REGContext)
  /// Responds when protected files are about to become unavailable.
  @objc optional func modProtectedDataWillBecomeUnavailable(_ context: REGContext)
  /// Handles the link ``REGContext/url``. Answer with ``REGContext/answer(_:)``.
  @objc optional func modOpenURL(_ context: REGContext)
  /// Handles a quick action of type ``REGContext/quickAction``. Answer with
  /// ``REGContext/answer(_:)``.
  @objc optional func modPerformQuickAction(_ context: REGContext)
  /// Handles a quick action, in BeeHive's spelling.
  @objc optional func modQuickAction(_ context: REGContext)
  /// Handles the link ``REGContext/url``, however the system reports it.
  @objc optional func modOpenLink(_ context: REGContext)
  /// Handles the token for remote notifications, ``REGContext/deviceToken``.
  @objc optional func modDidRegisterForRemoteNotifications(_ context: REGContext)
  /// Responds when the device can't obtain a token. The reason is ``REGContext/error``.
  @objc optional func modDidFailToRegisterForRemoteNotifications(_ context: REGContext)
  /// Handles a remote notification. Answer with ``REGContext/answerFetchResult(_:)``.
  /// The contents are ``REGContext/userInfo``.
  @objc optional func modDidReceiveRemoteNotification(_ context: REGContext)
  /// Handles a notification that the app scheduled and that's now due.
  @objc optional func modDidReceiveLocalNotification(_ context: REGContext)
  /// Handles a notification that arrives while the app is active. Answer with
  /// ``REGContext/answerPresentationOptions(_:)``.
  @objc optional func modWillPresentNotification(_ context: REGContext)
  /// Handles the user's response to a notification. The action is ``REGContext/action``.
  @objc optional func modDidReceiveNotificationResponse(_ context: REGContext)
  /// Responds when the app is about to continue an activity.
  /// The type is ``REGContext/activityType``. Answer with ``REGContext/answer(_:)``.
  @objc optional func modWillContinueUserActivity(_ context: REGContext)
  /// Handles an activity to continue. Answer with ``REGContext/answer(_:)``.
  @objc optional func modContinueUserActivity(_ context: REGContext)
  /// Responds when fetching an activity fails. The reason is ``REGContext/error``.
  @objc optional func modDidFailToContinueUserActivity(_ context: REGContext)
  /// Responds when one of the app's activities is updated.
  @objc optional func modDidUpdateUserActivity(_ context: REGContext)
  /// Responds when one of the app's activities is updated, in BeeHive's spelling.
  @objc optional func modDidUpdateContinueUserActivity(_ context: REGContext)
  /// Handles an accepted invitation to the shared records of a container,
  /// ``REGContext/identifier``.
  @objc optional func modUserDidAcceptCloudKitShare(_ context: REGContext)
  /// Finishes work in the background. ``REGContext/takeTime()`` makes the event wait for it.
  @objc optional func modFinishInBackground(_ context: REGContext)
  /// Responds when transfers in the background session ``REGContext/identifier`` have ended.
  @objc optional func modHandleBackgroundURLSession(_ context: REGContext)
  /// Responds when a scene connects. ``REGContext/sceneIdentifier`` identifies the scene.
  @objc optional func modSceneWillConnect(_ context: REGContext)
  /// Responds when a scene has disconnected.
  @objc optional func modSceneDidDisconnect(_ context: REGContext)
  /// Responds when a scene has been permanently removed.
  @objc optional func modSceneWasDiscarded(_ context: REGContext)
  /// Responds when a scene has become active.
  @objc optional func modSceneDidBecomeActive(_ context: REGContext)
  /// Responds when a scene is about to become inactive.
  @objc optional func modSceneWillResignActive(_ context: REGContext)
  /// Responds when a scene is about to enter the foreground.
  @objc optional func modSceneWillEnterForeground(_ context: REGContext)
  /// Responds when a scene has entered the background.
  @objc optional func modSceneDidEnterBackground(_ context: REGContext)
  /// Saves the state of a scene. Answer with ``REGContext/answerActivity(_:)``.
  @objc optional func modSceneSaveState(_ context: REGContext)
  /// Restores the state of a scene from ``REGContext/userInfo``.
  @objc optional func modSceneRestoreState(_ context: REGContext)
}
#endif
