#pragma once
#include "NSResponder.h"

NS_HEADER_AUDIT_BEGIN

@protocol NSApplicationDelegate;

// SOURCE: https://developer.apple.com/documentation/appkit/nsapplication
// and NSApplication.h of macOS 27.0
@interface NSApplication : NSResponder
@property(class, readonly, strong) __kindof NSApplication *sharedApplication NS_SWIFT_NAME(shared);
@property(nullable, weak) id<NSApplicationDelegate> delegate;
@property(getter=isActive, readonly) BOOL active;
@property(getter=isProtectedDataAvailable, readonly) BOOL protectedDataAvailable;
- (void)run;
- (void)terminate:(nullable id)sender;
- (void)replyToApplicationShouldTerminate:(BOOL)shouldTerminate NS_SWIFT_NAME(reply(toApplicationShouldTerminate:));
@end

// SOURCE: https://developer.apple.com/documentation/appkit/nsapplication
// and NSApplication.h of macOS 27.0
@interface NSApplication (NSRemoteNotifications)
- (void)registerForRemoteNotifications;
- (void)unregisterForRemoteNotifications;
@end

// SOURCE: https://developer.apple.com/documentation/appkit/nsapp
// and NSApplication.h of macOS 27.0
extern __kindof NSApplication *_Null_unspecified NSApp NS_SWIFT_UI_ACTOR;

// Unlike those of UIKit, these constants are isolated to the main actor, as the class is.
#define APPKIT_NOTIFICATION(objective, swift)                                                                          \
  extern NSNotificationName NSApplication##objective##Notification NS_SWIFT_NAME(NSApplication.swift##Notification)

// SOURCE: NSApplication.h of macOS 27.0
APPKIT_NOTIFICATION(WillFinishLaunching, willFinishLaunching);
APPKIT_NOTIFICATION(DidFinishLaunching, didFinishLaunching);
APPKIT_NOTIFICATION(WillBecomeActive, willBecomeActive);
APPKIT_NOTIFICATION(DidBecomeActive, didBecomeActive);
APPKIT_NOTIFICATION(WillResignActive, willResignActive);
APPKIT_NOTIFICATION(DidResignActive, didResignActive);
APPKIT_NOTIFICATION(WillHide, willHide);
APPKIT_NOTIFICATION(DidHide, didHide);
APPKIT_NOTIFICATION(WillUnhide, willUnhide);
APPKIT_NOTIFICATION(DidUnhide, didUnhide);
APPKIT_NOTIFICATION(WillTerminate, willTerminate);

// These two constants are not members of NSApplication. Swift imports them into
// NSNotification.Name.
// SOURCE: https://developer.apple.com/documentation/foundation/nsnotification/name-swift.struct/nsapplicationprotecteddatadidbecomeavailable
// and NSApplication.h of macOS 27.0
extern NSNotificationName NSApplicationProtectedDataWillBecomeUnavailableNotification;
extern NSNotificationName NSApplicationProtectedDataDidBecomeAvailableNotification;

// SOURCE: https://developer.apple.com/documentation/appkit/nsapplication/launchusernotificationuserinfokey
// and NSApplication.h of macOS 27.0
extern NSString *const NSApplicationLaunchUserNotificationKey
    NS_SWIFT_NAME(NSApplication.launchUserNotificationUserInfoKey);
extern NSString *const NSApplicationLaunchIsDefaultLaunchKey NS_SWIFT_NAME(NSApplication.launchIsDefaultUserInfoKey);

NS_HEADER_AUDIT_END
