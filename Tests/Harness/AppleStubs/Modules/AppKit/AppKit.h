// The part of AppKit that the package and its pages use.
#pragma once
#include <Foundation/Foundation.h>

@class CKShareMetadata;
@protocol NSApplicationDelegate;

NS_HEADER_AUDIT_BEGIN

NS_SWIFT_UI_ACTOR
@interface NSResponder : NSObject
- (instancetype)init NS_DESIGNATED_INITIALIZER;
@end

@protocol NSUserActivityRestoring <NSObject>
- (void)restoreUserActivityState:(NSUserActivity *)userActivity NS_SWIFT_UI_ACTOR;
@end

@interface NSResponder (NSUserActivity) <NSUserActivityRestoring>
@property(nullable, strong) NSUserActivity *userActivity;
@end

@interface NSApplication : NSResponder
@property(class, readonly, strong) __kindof NSApplication *sharedApplication NS_SWIFT_NAME(shared);
@property(nullable, weak) id<NSApplicationDelegate> delegate;
@end

extern __kindof NSApplication *_Null_unspecified NSApp NS_SWIFT_UI_ACTOR;

// Unlike UIKit's constants, these are isolated to the main actor, as the class is.
#define APPKIT_NOTIFICATION(objective, swift)                                                                          \
  extern NSNotificationName NSApplication##objective##Notification NS_SWIFT_NAME(NSApplication.swift##Notification)

APPKIT_NOTIFICATION(DidBecomeActive, didBecomeActive);
APPKIT_NOTIFICATION(WillResignActive, willResignActive);
APPKIT_NOTIFICATION(WillTerminate, willTerminate);

// These two constants are not members of NSApplication. Swift imports them into
// NSNotification.Name.
extern NSNotificationName NSApplicationProtectedDataWillBecomeUnavailableNotification;
extern NSNotificationName NSApplicationProtectedDataDidBecomeAvailableNotification;

extern NSString *const NSApplicationLaunchUserNotificationKey
    NS_SWIFT_NAME(NSApplication.launchUserNotificationUserInfoKey);

// The methods are isolated to the main actor, but the protocol isn't, and neither is a class that
// conforms to it.
@protocol NSApplicationDelegate <NSObject>
@optional
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
- (void)applicationDidBecomeActive:(NSNotification *)notification NS_SWIFT_UI_ACTOR;
- (void)applicationWillResignActive:(NSNotification *)notification NS_SWIFT_UI_ACTOR;
- (void)applicationWillTerminate:(NSNotification *)notification NS_SWIFT_UI_ACTOR;
- (void)applicationProtectedDataWillBecomeUnavailable:(NSNotification *)notification NS_SWIFT_UI_ACTOR;
- (void)applicationProtectedDataDidBecomeAvailable:(NSNotification *)notification NS_SWIFT_UI_ACTOR;
@end

NS_HEADER_AUDIT_END
