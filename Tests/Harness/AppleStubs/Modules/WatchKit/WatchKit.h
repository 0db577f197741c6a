// The part of WatchKit that the package and its pages use.
#pragma once
#include <Foundation/Foundation.h>

@class CKShareMetadata, WKRefreshBackgroundTask;
@protocol WKApplicationDelegate;

NS_HEADER_AUDIT_BEGIN

typedef NS_ENUM(NSUInteger, WKBackgroundFetchResult) {
  WKBackgroundFetchResultNewData,
  WKBackgroundFetchResultNoData,
  WKBackgroundFetchResultFailed
};

NS_SWIFT_UI_ACTOR
@interface WKApplication : NSObject
+ (WKApplication *)sharedApplication NS_SWIFT_NAME(shared());
@property(nonatomic, weak, readonly, nullable) id<WKApplicationDelegate> delegate;
@end

#define WATCHKIT_NOTIFICATION(name, swift)                                                                             \
  extern NSNotificationName const WKApplication##name##Notification NS_SWIFT_NAME(WKApplication.swift##Notification)
WATCHKIT_NOTIFICATION(DidBecomeActive, didBecomeActive);
WATCHKIT_NOTIFICATION(WillResignActive, willResignActive);
WATCHKIT_NOTIFICATION(WillEnterForeground, willEnterForeground);
WATCHKIT_NOTIFICATION(DidEnterBackground, didEnterBackground);

NS_SWIFT_UI_ACTOR
@protocol WKApplicationDelegate <NSObject>
@optional
- (void)applicationDidFinishLaunching;
- (void)applicationDidBecomeActive;
- (void)applicationWillResignActive;
- (void)applicationWillEnterForeground;
- (void)applicationDidEnterBackground;

- (void)handleUserActivity:(nullable NSDictionary *)userInfo;
- (void)handleActivity:(NSUserActivity *)userActivity;
- (void)handleBackgroundTasks:(NSSet<WKRefreshBackgroundTask *> *)backgroundTasks;

- (void)didRegisterForRemoteNotificationsWithDeviceToken:(NSData *)deviceToken;
- (void)didFailToRegisterForRemoteNotificationsWithError:(NSError *)error;
- (void)didReceiveRemoteNotification:(NSDictionary *)userInfo
              fetchCompletionHandler:(void (^)(WKBackgroundFetchResult result))completionHandler;

- (void)userDidAcceptCloudKitShareWithMetadata:(CKShareMetadata *)cloudKitShareMetadata;
@end

NS_SWIFT_SENDABLE
@interface WKRefreshBackgroundTask : NSObject
- (void)setTaskCompletedWithSnapshot:(BOOL)refreshSnapshot;
@end

@interface WKApplicationRefreshBackgroundTask : WKRefreshBackgroundTask
@end

@interface WKSnapshotRefreshBackgroundTask : WKRefreshBackgroundTask
- (void)setTaskCompletedWithDefaultStateRestored:(BOOL)restoredDefaultState
                     estimatedSnapshotExpiration:(nullable NSDate *)estimatedSnapshotExpiration
                                        userInfo:(nullable id)userInfo
    NS_SWIFT_NAME(setTaskCompleted(restoredDefaultState:estimatedSnapshotExpiration:userInfo:));
@end

@interface WKURLSessionRefreshBackgroundTask : WKRefreshBackgroundTask
@property(readonly, copy) NSString *sessionIdentifier;
@end

NS_HEADER_AUDIT_END
