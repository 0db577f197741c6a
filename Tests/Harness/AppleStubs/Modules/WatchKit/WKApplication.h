#pragma once
#include <Foundation/Foundation.h>

NS_HEADER_AUDIT_BEGIN

@class CKShareMetadata, WKRefreshBackgroundTask;
@protocol WKApplicationDelegate;

// SOURCE: https://developer.apple.com/documentation/watchkit/wkbackgroundfetchresult
// and the bindings of objc2 for watchOS 26.5
typedef NS_ENUM(NSUInteger, WKBackgroundFetchResult) {
  WKBackgroundFetchResultNewData,
  WKBackgroundFetchResultNoData,
  WKBackgroundFetchResultFailed
};

// SOURCE: https://developer.apple.com/documentation/watchkit/wkapplication
// and the bindings of objc2 for watchOS 26.5, and WKApplication.h of watchOS 9, in
// https://github.com/xamarin/xamarin-macios/wiki/WatchKit-watchOS-xcode14.0-beta1
NS_SWIFT_UI_ACTOR
@interface WKApplication : NSObject
+ (WKApplication *)sharedApplication NS_SWIFT_NAME(shared());
@property(nonatomic, weak, readonly, nullable) id<WKApplicationDelegate> delegate;
- (void)registerForRemoteNotifications;
@end

// SOURCE: https://developer.apple.com/documentation/watchkit/wkapplication/didbecomeactivenotification
// and the other pages of these constants, which state their symbols in C. They are isolated to the
// main actor, as the class is.
extern NSNotificationName const WKApplicationDidBecomeActiveNotification
    NS_SWIFT_NAME(WKApplication.didBecomeActiveNotification);
extern NSNotificationName const WKApplicationWillResignActiveNotification
    NS_SWIFT_NAME(WKApplication.willResignActiveNotification);
extern NSNotificationName const WKApplicationWillEnterForegroundNotification
    NS_SWIFT_NAME(WKApplication.willEnterForegroundNotification);
extern NSNotificationName const WKApplicationDidEnterBackgroundNotification
    NS_SWIFT_NAME(WKApplication.didEnterBackgroundNotification);

// SOURCE: https://developer.apple.com/documentation/watchkit/wkapplicationdelegate
// and the bindings of objc2 for watchOS 26.5
NS_SWIFT_UI_ACTOR
@protocol WKApplicationDelegate <NSObject>
@optional
- (void)applicationDidFinishLaunching;
- (void)applicationDidBecomeActive;
- (void)applicationWillResignActive;
- (void)applicationWillEnterForeground;
- (void)applicationDidEnterBackground;
- (void)deviceOrientationDidChange;

- (void)handleUserActivity:(nullable NSDictionary *)userInfo;
- (void)handleActivity:(NSUserActivity *)userActivity;
- (void)handleBackgroundTasks:(NSSet<WKRefreshBackgroundTask *> *)backgroundTasks;

- (void)didRegisterForRemoteNotificationsWithDeviceToken:(NSData *)deviceToken;
- (void)didFailToRegisterForRemoteNotificationsWithError:(NSError *)error;
- (void)didReceiveRemoteNotification:(NSDictionary *)userInfo
              fetchCompletionHandler:(void (^)(WKBackgroundFetchResult result))completionHandler;

- (void)userDidAcceptCloudKitShareWithMetadata:(CKShareMetadata *)cloudKitShareMetadata;
@end

NS_HEADER_AUDIT_END
