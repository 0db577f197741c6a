#pragma once
#include "NSApplication.h"

NS_HEADER_AUDIT_BEGIN

@class CKShareMetadata;

// SOURCE: https://developer.apple.com/documentation/appkit/nsapplication/terminatereply
typedef NS_ENUM(NSUInteger, NSApplicationTerminateReply) {
  NSTerminateCancel = 0,
  NSTerminateNow = 1,
  NSTerminateLater = 2
} NS_SWIFT_NAME(NSApplication.TerminateReply);

// SOURCE: https://developer.apple.com/documentation/appkit/nsapplicationdelegate
// and the pages of its methods
NS_SWIFT_UI_ACTOR
@protocol NSApplicationDelegate <NSObject>
@optional
- (NSApplicationTerminateReply)applicationShouldTerminate:(NSApplication *)sender;
- (BOOL)applicationShouldTerminateAfterLastWindowClosed:(NSApplication *)sender;
- (BOOL)applicationShouldHandleReopen:(NSApplication *)sender hasVisibleWindows:(BOOL)flag;
- (void)application:(NSApplication *)application openURLs:(NSArray<NSURL *> *)urls;
- (BOOL)application:(NSApplication *)sender openFile:(NSString *)filename;
- (void)application:(NSApplication *)sender openFiles:(NSArray<NSString *> *)filenames;

- (void)application:(NSApplication *)application
    didRegisterForRemoteNotificationsWithDeviceToken:(NSData *)deviceToken;
- (void)application:(NSApplication *)application didFailToRegisterForRemoteNotificationsWithError:(NSError *)error;
- (void)application:(NSApplication *)application
    didReceiveRemoteNotification:(NSDictionary<NSString *, id> *)userInfo;

- (BOOL)application:(NSApplication *)application willContinueUserActivityWithType:(NSString *)userActivityType;
- (BOOL)application:(NSApplication *)application
    continueUserActivity:(NSUserActivity *)userActivity
      restorationHandler:(void (^)(NSArray<id<NSUserActivityRestoring>> *restorableObjects))restorationHandler;
- (void)application:(NSApplication *)application
    didFailToContinueUserActivityWithType:(NSString *)userActivityType
                                    error:(NSError *)error;
- (void)application:(NSApplication *)application didUpdateUserActivity:(NSUserActivity *)userActivity;
// NSApplication.h of macOS 10.12
- (void)application:(NSApplication *)application
    userDidAcceptCloudKitShareWithMetadata:(CKShareMetadata *)metadata;

- (void)applicationWillFinishLaunching:(NSNotification *)notification;
- (void)applicationDidFinishLaunching:(NSNotification *)notification;
- (void)applicationWillBecomeActive:(NSNotification *)notification;
- (void)applicationDidBecomeActive:(NSNotification *)notification;
- (void)applicationWillResignActive:(NSNotification *)notification;
- (void)applicationDidResignActive:(NSNotification *)notification;
- (void)applicationWillHide:(NSNotification *)notification;
- (void)applicationDidHide:(NSNotification *)notification;
- (void)applicationWillUnhide:(NSNotification *)notification;
- (void)applicationDidUnhide:(NSNotification *)notification;
- (void)applicationWillTerminate:(NSNotification *)notification;
- (void)applicationProtectedDataWillBecomeUnavailable:(NSNotification *)notification;
- (void)applicationProtectedDataDidBecomeAvailable:(NSNotification *)notification;
@end

NS_HEADER_AUDIT_END
