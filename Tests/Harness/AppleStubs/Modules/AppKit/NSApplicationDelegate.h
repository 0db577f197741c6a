#pragma once
#include "NSApplication.h"

NS_HEADER_AUDIT_BEGIN

@class CKShareMetadata;

// SOURCE: https://developer.apple.com/documentation/appkit/nsapplication/terminatereply
// and NSApplication.h of macOS 27.0
typedef NS_ENUM(NSUInteger, NSApplicationTerminateReply) {
  NSTerminateCancel = 0,
  NSTerminateNow = 1,
  NSTerminateLater = 2
} NS_SWIFT_NAME(NSApplication.TerminateReply);

// SOURCE: https://developer.apple.com/documentation/appkit/nsapplicationdelegate
// and NSApplication.h of macOS 27.0
//
// The methods are isolated to the main actor, but the protocol is not. So a class that conforms to
// it is not isolated either, unless it says so.
@protocol NSApplicationDelegate <NSObject>
@optional
- (NSApplicationTerminateReply)applicationShouldTerminate:(NSApplication *)sender NS_SWIFT_UI_ACTOR;
- (BOOL)applicationShouldTerminateAfterLastWindowClosed:(NSApplication *)sender NS_SWIFT_UI_ACTOR;
- (BOOL)applicationShouldHandleReopen:(NSApplication *)sender hasVisibleWindows:(BOOL)flag NS_SWIFT_UI_ACTOR;
- (void)application:(NSApplication *)application openURLs:(NSArray<NSURL *> *)urls NS_SWIFT_UI_ACTOR;
- (BOOL)application:(NSApplication *)sender openFile:(NSString *)filename NS_SWIFT_UI_ACTOR;
- (void)application:(NSApplication *)sender openFiles:(NSArray<NSString *> *)filenames NS_SWIFT_UI_ACTOR;

- (void)application:(NSApplication *)application
    didRegisterForRemoteNotificationsWithDeviceToken:(NSData *)deviceToken NS_SWIFT_UI_ACTOR;
- (void)application:(NSApplication *)application didFailToRegisterForRemoteNotificationsWithError:(NSError *)error
    NS_SWIFT_UI_ACTOR;
- (void)application:(NSApplication *)application
    didReceiveRemoteNotification:(NSDictionary<NSString *, id> *)userInfo NS_SWIFT_UI_ACTOR;

- (BOOL)application:(NSApplication *)application willContinueUserActivityWithType:(NSString *)userActivityType
    NS_SWIFT_UI_ACTOR;
- (BOOL)application:(NSApplication *)application
    continueUserActivity:(NSUserActivity *)userActivity
      restorationHandler:(void (^)(NSArray<id<NSUserActivityRestoring>> *restorableObjects))restorationHandler
    NS_SWIFT_UI_ACTOR;
- (void)application:(NSApplication *)application
    didFailToContinueUserActivityWithType:(NSString *)userActivityType
                                    error:(NSError *)error NS_SWIFT_UI_ACTOR;
- (void)application:(NSApplication *)application didUpdateUserActivity:(NSUserActivity *)userActivity NS_SWIFT_UI_ACTOR;
- (void)application:(NSApplication *)application
    userDidAcceptCloudKitShareWithMetadata:(CKShareMetadata *)metadata NS_SWIFT_UI_ACTOR;

- (void)applicationWillFinishLaunching:(NSNotification *)notification NS_SWIFT_UI_ACTOR;
- (void)applicationDidFinishLaunching:(NSNotification *)notification NS_SWIFT_UI_ACTOR;
- (void)applicationWillBecomeActive:(NSNotification *)notification NS_SWIFT_UI_ACTOR;
- (void)applicationDidBecomeActive:(NSNotification *)notification NS_SWIFT_UI_ACTOR;
- (void)applicationWillResignActive:(NSNotification *)notification NS_SWIFT_UI_ACTOR;
- (void)applicationDidResignActive:(NSNotification *)notification NS_SWIFT_UI_ACTOR;
- (void)applicationWillHide:(NSNotification *)notification NS_SWIFT_UI_ACTOR;
- (void)applicationDidHide:(NSNotification *)notification NS_SWIFT_UI_ACTOR;
- (void)applicationWillUnhide:(NSNotification *)notification NS_SWIFT_UI_ACTOR;
- (void)applicationDidUnhide:(NSNotification *)notification NS_SWIFT_UI_ACTOR;
- (void)applicationWillTerminate:(NSNotification *)notification NS_SWIFT_UI_ACTOR;
- (void)applicationProtectedDataWillBecomeUnavailable:(NSNotification *)notification NS_SWIFT_UI_ACTOR;
- (void)applicationProtectedDataDidBecomeAvailable:(NSNotification *)notification NS_SWIFT_UI_ACTOR;
@end

NS_HEADER_AUDIT_END
