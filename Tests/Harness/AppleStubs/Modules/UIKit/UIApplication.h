#pragma once
#include "UIResponder.h"

NS_HEADER_AUDIT_BEGIN

@class UIApplicationShortcutItem, UIScene, UISceneSession, UIWindow;
@protocol UIApplicationDelegate;

// SOURCE: https://developer.apple.com/documentation/uikit/uiapplication/state
// and UIApplication.h of iOS 27.0
typedef NS_ENUM(NSInteger, UIApplicationState) {
  UIApplicationStateActive,
  UIApplicationStateInactive,
  UIApplicationStateBackground
} NS_SWIFT_NAME(UIApplication.State);

// SOURCE: https://developer.apple.com/documentation/uikit/uibackgroundfetchresult
// and UIApplication.h of iOS 27.0
typedef NS_ENUM(NSUInteger, UIBackgroundFetchResult) {
  UIBackgroundFetchResultNewData,
  UIBackgroundFetchResultNoData,
  UIBackgroundFetchResultFailed
};

// SOURCE: https://developer.apple.com/documentation/uikit/uiapplication/launchoptionskey
// and UIApplication.h of iOS 27.0
typedef NSString *UIApplicationLaunchOptionsKey NS_TYPED_ENUM NS_SWIFT_NAME(UIApplication.LaunchOptionsKey);
typedef NSString *UIApplicationExtensionPointIdentifier NS_TYPED_ENUM NS_SWIFT_NAME(UIApplication.ExtensionPointIdentifier);
typedef NSString *UIApplicationOpenURLOptionsKey NS_TYPED_ENUM NS_SWIFT_NAME(UIApplication.OpenURLOptionsKey);
typedef NSString *UIApplicationOpenExternalURLOptionsKey
    NS_TYPED_ENUM NS_SWIFT_NAME(UIApplication.OpenExternalURLOptionsKey);

// SOURCE: https://developer.apple.com/documentation/uikit/uibackgroundtaskidentifier
// and UIApplication.h of iOS 27.0
typedef NSUInteger UIBackgroundTaskIdentifier NS_TYPED_ENUM;
extern UIBackgroundTaskIdentifier const UIBackgroundTaskInvalid;

// SOURCE: https://developer.apple.com/documentation/uikit/uiapplication
// and UIApplication.h of iOS 27.0
API_UNAVAILABLE(watchos) NS_SWIFT_UI_ACTOR
@interface UIApplication : UIResponder
@property(class, nonatomic, readonly) UIApplication *sharedApplication NS_SWIFT_NAME(shared);
@property(nullable, nonatomic, assign) id<UIApplicationDelegate> delegate;
@property(nonatomic, readonly) UIApplicationState applicationState;
@property(nonatomic, readonly, getter=isProtectedDataAvailable) BOOL protectedDataAvailable NS_SWIFT_NONISOLATED;
@property(nonatomic, readonly) NSSet<UIScene *> *connectedScenes;
@property(nonatomic, readonly) NSSet<UISceneSession *> *openSessions;
- (void)openURL:(NSURL *)url
              options:(NSDictionary<UIApplicationOpenExternalURLOptionsKey, id> *)options
    completionHandler:(void (^_Nullable NS_SWIFT_UI_ACTOR)(BOOL success))completion;
- (UIBackgroundTaskIdentifier)beginBackgroundTaskWithName:(nullable NSString *)taskName
                                        expirationHandler:(void (^_Nullable NS_SWIFT_UI_ACTOR)(void))handler
    NS_SWIFT_NONISOLATED;
- (void)endBackgroundTask:(UIBackgroundTaskIdentifier)identifier NS_SWIFT_NONISOLATED;
@end

// SOURCE: https://developer.apple.com/documentation/uikit/uiapplication/registerforremotenotifications()
// and UIApplication.h of iOS 27.0
@interface UIApplication (UIRemoteNotifications)
- (void)registerForRemoteNotifications;
- (void)unregisterForRemoteNotifications;
@property(nonatomic, readonly, getter=isRegisteredForRemoteNotifications) BOOL registeredForRemoteNotifications;
@end

// SOURCE: https://developer.apple.com/documentation/uikit/uiapplication/shortcutitems
// and UIApplication.h of iOS 27.0
@interface UIApplication (UIShortcutItems)
@property(nullable, nonatomic, copy) NSArray<UIApplicationShortcutItem *> *shortcutItems API_UNAVAILABLE(tvos);
@end

// SOURCE: https://developer.apple.com/documentation/uikit/uiapplication/didenterbackgroundnotification
// and UIApplication.h of iOS 27.0
extern NSNotificationName const UIApplicationDidEnterBackgroundNotification NS_SWIFT_NONISOLATED
    NS_SWIFT_NAME(UIApplication.didEnterBackgroundNotification);
extern NSNotificationName const UIApplicationWillEnterForegroundNotification NS_SWIFT_NONISOLATED
    NS_SWIFT_NAME(UIApplication.willEnterForegroundNotification);
extern NSNotificationName const UIApplicationDidFinishLaunchingNotification NS_SWIFT_NONISOLATED
    NS_SWIFT_NAME(UIApplication.didFinishLaunchingNotification);
extern NSNotificationName const UIApplicationDidBecomeActiveNotification NS_SWIFT_NONISOLATED
    NS_SWIFT_NAME(UIApplication.didBecomeActiveNotification);
extern NSNotificationName const UIApplicationWillResignActiveNotification NS_SWIFT_NONISOLATED
    NS_SWIFT_NAME(UIApplication.willResignActiveNotification);
extern NSNotificationName const UIApplicationDidReceiveMemoryWarningNotification NS_SWIFT_NONISOLATED
    NS_SWIFT_NAME(UIApplication.didReceiveMemoryWarningNotification);
extern NSNotificationName const UIApplicationWillTerminateNotification NS_SWIFT_NONISOLATED
    NS_SWIFT_NAME(UIApplication.willTerminateNotification);
extern NSNotificationName const UIApplicationSignificantTimeChangeNotification NS_SWIFT_NONISOLATED
    NS_SWIFT_NAME(UIApplication.significantTimeChangeNotification);
extern NSNotificationName const UIApplicationBackgroundRefreshStatusDidChangeNotification NS_SWIFT_NONISOLATED
    NS_SWIFT_NAME(UIApplication.backgroundRefreshStatusDidChangeNotification);
extern NSNotificationName const UIApplicationProtectedDataWillBecomeUnavailable NS_SWIFT_NONISOLATED
    NS_SWIFT_NAME(UIApplication.protectedDataWillBecomeUnavailableNotification);
extern NSNotificationName const UIApplicationProtectedDataDidBecomeAvailable NS_SWIFT_NONISOLATED
    NS_SWIFT_NAME(UIApplication.protectedDataDidBecomeAvailableNotification);
extern NSNotificationName const UIApplicationUserDidTakeScreenshotNotification NS_SWIFT_NONISOLATED
    NS_SWIFT_NAME(UIApplication.userDidTakeScreenshotNotification);

// SOURCE: https://developer.apple.com/documentation/uikit/uiapplication/launchoptionskey
// and UIApplication.h of iOS 27.0
extern UIApplicationLaunchOptionsKey const UIApplicationLaunchOptionsURLKey NS_SWIFT_NAME(url);
extern UIApplicationLaunchOptionsKey const UIApplicationLaunchOptionsSourceApplicationKey
    NS_SWIFT_NAME(sourceApplication);
extern UIApplicationLaunchOptionsKey const UIApplicationLaunchOptionsRemoteNotificationKey
    NS_SWIFT_NAME(remoteNotification) API_UNAVAILABLE(tvos);
extern UIApplicationLaunchOptionsKey const UIApplicationLaunchOptionsLocalNotificationKey
    NS_SWIFT_NAME(localNotification) API_UNAVAILABLE(visionos, tvos)
    API_DEPRECATED("Use UserNotifications Framework's "
                  "-[UNUserNotificationCenterDelegate didReceiveNotificationResponse:withCompletionHandler:]");
extern UIApplicationLaunchOptionsKey const UIApplicationLaunchOptionsAnnotationKey NS_SWIFT_NAME(annotation)
    API_DEPRECATED("This dictionary key is no longer used.") API_UNAVAILABLE(visionos);
extern UIApplicationLaunchOptionsKey const UIApplicationLaunchOptionsLocationKey NS_SWIFT_NAME(location);
extern UIApplicationLaunchOptionsKey const UIApplicationLaunchOptionsBluetoothCentralsKey
    NS_SWIFT_NAME(bluetoothCentrals);
extern UIApplicationLaunchOptionsKey const UIApplicationLaunchOptionsBluetoothPeripheralsKey
    NS_SWIFT_NAME(bluetoothPeripherals);
extern UIApplicationLaunchOptionsKey const UIApplicationLaunchOptionsShortcutItemKey NS_SWIFT_NAME(shortcutItem) API_UNAVAILABLE(tvos);
extern UIApplicationLaunchOptionsKey const UIApplicationLaunchOptionsUserActivityDictionaryKey
    NS_SWIFT_NAME(userActivityDictionary);
extern UIApplicationLaunchOptionsKey const UIApplicationLaunchOptionsUserActivityTypeKey
    NS_SWIFT_NAME(userActivityType);

// SOURCE: https://developer.apple.com/documentation/uikit/uiapplication/openurloptionskey
// and UIApplication.h of iOS 27.0
extern UIApplicationOpenURLOptionsKey const UIApplicationOpenURLOptionsSourceApplicationKey
    NS_SWIFT_NAME(sourceApplication);
extern UIApplicationOpenURLOptionsKey const UIApplicationOpenURLOptionsAnnotationKey NS_SWIFT_NAME(annotation);
extern UIApplicationOpenURLOptionsKey const UIApplicationOpenURLOptionsOpenInPlaceKey NS_SWIFT_NAME(openInPlace);

// SOURCE: https://developer.apple.com/documentation/uikit/uiapplication/extensionpointidentifier
// and UIApplication.h of iOS 27.0
extern UIApplicationExtensionPointIdentifier const UIApplicationKeyboardExtensionPointIdentifier
    NS_SWIFT_NAME(keyboard);

NS_HEADER_AUDIT_END
