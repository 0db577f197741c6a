#pragma once
#include "UIApplication.h"

NS_HEADER_AUDIT_BEGIN

@class CKShareMetadata, UILocalNotification, UISceneConfiguration, UISceneConnectionOptions;

#define USE_OPEN_URL_OPTIONS API_DEPRECATED("Use application:openURL:options:")
#define USE_USER_NOTIFICATIONS API_DEPRECATED("Use UserNotifications Framework's UNUserNotificationCenterDelegate")

// SOURCE: https://developer.apple.com/documentation/uikit/uiapplicationdelegate
// and UIApplication.h of iOS 27.0
//
// iOS 26 deprecates the methods that a scene's delegate has as well, and the keys of their
// dictionaries. The stand-ins declare only deprecations that the oldest supported system has.
API_UNAVAILABLE(watchos) NS_SWIFT_UI_ACTOR
@protocol UIApplicationDelegate <NSObject>
@optional
- (void)applicationDidFinishLaunching:(UIApplication *)application;
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
- (void)application:(UIApplication *)application
    performFetchWithCompletionHandler:(void (^)(UIBackgroundFetchResult result))completionHandler NS_SWIFT_DISABLE_ASYNC
    API_DEPRECATED("Use a BGAppRefreshTask in the BackgroundTasks framework instead") API_UNAVAILABLE(visionos, watchos);

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

// SOURCE: UIApplication.h of iOS 27.0
extern int UIApplicationMain(int argc, char *_Nullable argv[_Nonnull], NSString *_Nullable principalClassName,
                             NSString *_Nullable delegateClassName);

NS_HEADER_AUDIT_END
