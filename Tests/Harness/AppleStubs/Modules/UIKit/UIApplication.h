// The app, its delegate, and the objects in the payloads of events.
#pragma once
#include <Foundation/Foundation.h>

@class CKShareMetadata, UIScene, UISceneConfiguration, UISceneConnectionOptions, UISceneSession, UIWindow;
@protocol UIApplicationDelegate;

NS_HEADER_AUDIT_BEGIN

#define UIKIT_NOTIFICATION(type, name, swift)                                                                          \
  extern NSNotificationName const type##name##Notification NS_SWIFT_NONISOLATED NS_SWIFT_NAME(type.swift##Notification)

API_UNAVAILABLE(watchos) NS_SWIFT_UI_ACTOR
@protocol UIUserActivityRestoring <NSObject>
- (void)restoreUserActivityState:(NSUserActivity *)userActivity;
@end

API_UNAVAILABLE(watchos) NS_SWIFT_UI_ACTOR
@interface UIResponder : NSObject
@property(nonatomic, readonly, nullable) UIResponder *nextResponder NS_SWIFT_NAME(next);
@end

@interface UIResponder (ActivityContinuation) <UIUserActivityRestoring>
@property(nullable, nonatomic, strong) NSUserActivity *userActivity;
- (void)restoreUserActivityState:(NSUserActivity *)activity;
@end

API_DEPRECATED("Use UserNotifications Framework's UNNotificationRequest") API_UNAVAILABLE(visionos, tvos, watchos) NS_SWIFT_UI_ACTOR
@interface UILocalNotification : NSObject
@property(nullable, nonatomic, copy) NSDate *fireDate;
@property(nullable, nonatomic, copy) NSString *alertBody;
@property(nullable, nonatomic, copy) NSString *alertTitle;
@property(nullable, nonatomic, copy) NSDictionary *userInfo;
@end

API_UNAVAILABLE(tvos, watchos) NS_SWIFT_UI_ACTOR
@interface UIApplicationShortcutItem : NSObject
- (instancetype)init NS_UNAVAILABLE;
@property(nonatomic, copy, readonly) NSString *type;
@property(nonatomic, copy, readonly) NSString *localizedTitle;
@property(nullable, nonatomic, copy, readonly) NSString *localizedSubtitle;
@property(nullable, nonatomic, copy, readonly) NSDictionary<NSString *, id> *userInfo;
@end

typedef NS_ENUM(NSUInteger, UIBackgroundFetchResult) {
  UIBackgroundFetchResultNewData,
  UIBackgroundFetchResultNoData,
  UIBackgroundFetchResultFailed
};

typedef NSString *UIApplicationLaunchOptionsKey NS_TYPED_ENUM NS_SWIFT_NAME(UIApplication.LaunchOptionsKey);
typedef NSString *UIApplicationExtensionPointIdentifier NS_TYPED_ENUM NS_SWIFT_NAME(UIApplication.ExtensionPointIdentifier);
typedef NSString *UIApplicationOpenURLOptionsKey NS_TYPED_ENUM NS_SWIFT_NAME(UIApplication.OpenURLOptionsKey);

typedef NSUInteger UIBackgroundTaskIdentifier NS_TYPED_ENUM;
extern UIBackgroundTaskIdentifier const UIBackgroundTaskInvalid;

API_UNAVAILABLE(watchos) NS_SWIFT_UI_ACTOR
@interface UIApplication : UIResponder
@property(class, nonatomic, readonly) UIApplication *sharedApplication NS_SWIFT_NAME(shared);
@property(nullable, nonatomic, assign) id<UIApplicationDelegate> delegate;
@property(nonatomic, readonly) NSSet<UIScene *> *connectedScenes;
- (UIBackgroundTaskIdentifier)beginBackgroundTaskWithName:(nullable NSString *)taskName
                                        expirationHandler:(void (^_Nullable NS_SWIFT_UI_ACTOR)(void))handler
    NS_SWIFT_NONISOLATED;
- (void)endBackgroundTask:(UIBackgroundTaskIdentifier)identifier NS_SWIFT_NONISOLATED;
@end

UIKIT_NOTIFICATION(UIApplication, DidEnterBackground, didEnterBackground);
UIKIT_NOTIFICATION(UIApplication, WillEnterForeground, willEnterForeground);
UIKIT_NOTIFICATION(UIApplication, DidBecomeActive, didBecomeActive);
UIKIT_NOTIFICATION(UIApplication, WillResignActive, willResignActive);
UIKIT_NOTIFICATION(UIApplication, DidReceiveMemoryWarning, didReceiveMemoryWarning);
UIKIT_NOTIFICATION(UIApplication, WillTerminate, willTerminate);
UIKIT_NOTIFICATION(UIApplication, SignificantTimeChange, significantTimeChange);
extern NSNotificationName const UIApplicationProtectedDataWillBecomeUnavailable NS_SWIFT_NONISOLATED
    NS_SWIFT_NAME(UIApplication.protectedDataWillBecomeUnavailableNotification);
extern NSNotificationName const UIApplicationProtectedDataDidBecomeAvailable NS_SWIFT_NONISOLATED
    NS_SWIFT_NAME(UIApplication.protectedDataDidBecomeAvailableNotification);

#define LAUNCH_OPTION(name, swift)                                                                                     \
  extern UIApplicationLaunchOptionsKey const UIApplicationLaunchOptions##name##Key NS_SWIFT_NAME(swift)
LAUNCH_OPTION(URL, url);
LAUNCH_OPTION(SourceApplication, sourceApplication);
LAUNCH_OPTION(RemoteNotification, remoteNotification) API_UNAVAILABLE(tvos);
LAUNCH_OPTION(LocalNotification, localNotification) API_UNAVAILABLE(visionos, tvos)
    API_DEPRECATED("Use UserNotifications Framework's "
                  "-[UNUserNotificationCenterDelegate didReceiveNotificationResponse:withCompletionHandler:]");
LAUNCH_OPTION(Annotation, annotation)
    API_DEPRECATED("This dictionary key is no longer used.") API_UNAVAILABLE(visionos);
LAUNCH_OPTION(Location, location);
LAUNCH_OPTION(ShortcutItem, shortcutItem) API_UNAVAILABLE(tvos);
LAUNCH_OPTION(UserActivityDictionary, userActivityDictionary);
LAUNCH_OPTION(UserActivityType, userActivityType);

extern UIApplicationOpenURLOptionsKey const UIApplicationOpenURLOptionsSourceApplicationKey
    NS_SWIFT_NAME(sourceApplication);
extern UIApplicationOpenURLOptionsKey const UIApplicationOpenURLOptionsAnnotationKey NS_SWIFT_NAME(annotation);
extern UIApplicationOpenURLOptionsKey const UIApplicationOpenURLOptionsOpenInPlaceKey NS_SWIFT_NAME(openInPlace);

extern UIApplicationExtensionPointIdentifier const UIApplicationKeyboardExtensionPointIdentifier
    NS_SWIFT_NAME(keyboard);

#define USE_OPEN_URL_OPTIONS API_DEPRECATED("Use application:openURL:options:")
#define USE_USER_NOTIFICATIONS API_DEPRECATED("Use UserNotifications Framework's UNUserNotificationCenterDelegate")

// iOS 26 deprecates the methods that a scene's delegate has as well, and the keys of their
// dictionaries. The stand-ins declare only deprecations that the oldest supported system has.
API_UNAVAILABLE(watchos) NS_SWIFT_UI_ACTOR
@protocol UIApplicationDelegate <NSObject>
@optional
- (BOOL)application:(UIApplication *)application
    willFinishLaunchingWithOptions:(nullable NSDictionary<UIApplicationLaunchOptionsKey, id> *)launchOptions;
- (BOOL)application:(UIApplication *)application
    didFinishLaunchingWithOptions:(nullable NSDictionary<UIApplicationLaunchOptionsKey, id> *)launchOptions;
- (void)applicationDidBecomeActive:(UIApplication *)application;
- (void)applicationWillResignActive:(UIApplication *)application;
- (void)applicationDidEnterBackground:(UIApplication *)application;
- (void)applicationWillEnterForeground:(UIApplication *)application;
- (void)applicationWillTerminate:(UIApplication *)application;
- (void)applicationDidReceiveMemoryWarning:(UIApplication *)application;
- (void)applicationSignificantTimeChange:(UIApplication *)application;
- (void)applicationProtectedDataWillBecomeUnavailable:(UIApplication *)application;
- (void)applicationProtectedDataDidBecomeAvailable:(UIApplication *)application;

- (BOOL)application:(UIApplication *)app
            openURL:(NSURL *)url
            options:(NSDictionary<UIApplicationOpenURLOptionsKey, id> *)options;
- (BOOL)application:(UIApplication *)application handleOpenURL:(NSURL *)url USE_OPEN_URL_OPTIONS API_UNAVAILABLE(tvos, visionos, watchos);
- (BOOL)application:(UIApplication *)application
              openURL:(NSURL *)url
    sourceApplication:(nullable NSString *)sourceApplication
           annotation:(id)annotation USE_OPEN_URL_OPTIONS API_UNAVAILABLE(tvos, visionos, watchos);
- (void)application:(UIApplication *)application
    performActionForShortcutItem:(UIApplicationShortcutItem *)shortcutItem
               completionHandler:(void (^)(BOOL succeeded))completionHandler API_UNAVAILABLE(tvos);

- (void)application:(UIApplication *)application
    didRegisterForRemoteNotificationsWithDeviceToken:(NSData *)deviceToken;
- (void)application:(UIApplication *)application didFailToRegisterForRemoteNotificationsWithError:(NSError *)error;
- (void)application:(UIApplication *)application
    didReceiveRemoteNotification:(NSDictionary *)userInfo USE_USER_NOTIFICATIONS API_UNAVAILABLE(visionos, watchos);
- (void)application:(UIApplication *)application
    didReceiveRemoteNotification:(NSDictionary *)userInfo
          fetchCompletionHandler:(void (^)(UIBackgroundFetchResult result))completionHandler;
- (void)application:(UIApplication *)application
    didReceiveLocalNotification:(UILocalNotification *)notification USE_USER_NOTIFICATIONS API_UNAVAILABLE(visionos, tvos, watchos);

- (BOOL)application:(UIApplication *)application
    shouldAllowExtensionPointIdentifier:(UIApplicationExtensionPointIdentifier)extensionPointIdentifier;

- (void)application:(UIApplication *)application
    handleEventsForBackgroundURLSession:(NSString *)identifier
                      completionHandler:(void (^)(void))completionHandler;
- (void)application:(UIApplication *)application
    handleWatchKitExtensionRequest:(nullable NSDictionary *)userInfo
                             reply:(void (^)(NSDictionary *_Nullable replyInfo))reply;

- (BOOL)application:(UIApplication *)application willContinueUserActivityWithType:(NSString *)userActivityType;
- (BOOL)application:(UIApplication *)application
    continueUserActivity:(NSUserActivity *)userActivity
      restorationHandler:(void (^)(NSArray<id<UIUserActivityRestoring>> *_Nullable restorableObjects))restorationHandler;
- (void)application:(UIApplication *)application
    didFailToContinueUserActivityWithType:(NSString *)userActivityType
                                    error:(NSError *)error;
- (void)application:(UIApplication *)application didUpdateUserActivity:(NSUserActivity *)userActivity;
- (void)application:(UIApplication *)application
    userDidAcceptCloudKitShareWithMetadata:(CKShareMetadata *)cloudKitShareMetadata;

- (UISceneConfiguration *)application:(UIApplication *)application
    configurationForConnectingSceneSession:(UISceneSession *)connectingSceneSession
                                   options:(UISceneConnectionOptions *)options;
- (void)application:(UIApplication *)application didDiscardSceneSessions:(NSSet<UISceneSession *> *)sceneSessions;

@property(nullable, nonatomic, strong) UIWindow *window;
@end

extern int UIApplicationMain(int argc, char *_Nullable argv[_Nonnull], NSString *_Nullable principalClassName,
                             NSString *_Nullable delegateClassName);

NS_HEADER_AUDIT_END
