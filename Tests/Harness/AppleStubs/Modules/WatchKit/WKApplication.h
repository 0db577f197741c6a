#pragma once
#include <Foundation/Foundation.h>

NS_HEADER_AUDIT_BEGIN

@class CKShareMetadata, WKRefreshBackgroundTask;
@protocol WKApplicationDelegate;

// SOURCE: https://developer.apple.com/documentation/watchkit/wkbackgroundfetchresult
typedef NS_ENUM(NSUInteger, WKBackgroundFetchResult) {
  WKBackgroundFetchResultNewData,
  WKBackgroundFetchResultNoData,
  WKBackgroundFetchResultFailed
};

// SOURCE: https://developer.apple.com/documentation/watchkit/wkapplication
// and WKApplication.h of watchOS 9, in https://github.com/xamarin/xamarin-macios/wiki/WatchKit-watchOS-xcode14.0-beta1
NS_SWIFT_UI_ACTOR
@interface WKApplication : NSObject
+ (WKApplication *)sharedApplication NS_SWIFT_NAME(shared());
@property(nonatomic, weak, nullable) id<WKApplicationDelegate> delegate;
- (void)registerForRemoteNotifications;
@end

// SOURCE: https://developer.apple.com/documentation/watchkit/wkapplication/didbecomeactivenotification
// and the other pages of these constants, which state their symbols in C
extern NSNotificationName const WKApplicationDidBecomeActiveNotification
    NS_SWIFT_NAME(WKApplication.didBecomeActiveNotification) NS_SWIFT_NONISOLATED;
extern NSNotificationName const WKApplicationWillResignActiveNotification
    NS_SWIFT_NAME(WKApplication.willResignActiveNotification) NS_SWIFT_NONISOLATED;
extern NSNotificationName const WKApplicationWillEnterForegroundNotification
    NS_SWIFT_NAME(WKApplication.willEnterForegroundNotification) NS_SWIFT_NONISOLATED;
extern NSNotificationName const WKApplicationDidEnterBackgroundNotification
    NS_SWIFT_NAME(WKApplication.didEnterBackgroundNotification) NS_SWIFT_NONISOLATED;

// SOURCE: https://developer.apple.com/documentation/watchkit/wkapplicationdelegate, whose methods are those
// of WKExtensionDelegate in WKExtension.h of watchOS 4
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

// The topic "Managing remote notifications" of
// https://developer.apple.com/documentation/watchkit/wkapplicationdelegate
- (void)didRegisterForRemoteNotificationsWithDeviceToken:(NSData *)deviceToken;
- (void)didFailToRegisterForRemoteNotificationsWithError:(NSError *)error;
- (void)didReceiveRemoteNotification:(NSDictionary *)userInfo
              fetchCompletionHandler:(void (^)(WKBackgroundFetchResult result))completionHandler;

// The topic "Accepting CloudKit shares" of the same page
- (void)userDidAcceptCloudKitShareWithMetadata:(CKShareMetadata *)cloudKitShareMetadata;
@end

NS_HEADER_AUDIT_END
