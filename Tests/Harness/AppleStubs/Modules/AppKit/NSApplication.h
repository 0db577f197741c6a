#pragma once
#include "NSResponder.h"

NS_HEADER_AUDIT_BEGIN

@protocol NSApplicationDelegate;

// SOURCE: https://developer.apple.com/documentation/appkit/nsapplication
// and NSApplication.h of macOS 12
NS_SWIFT_UI_ACTOR
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
// and NSApplication.h of macOS 12
@interface NSApplication (NSRemoteNotifications)
- (void)registerForRemoteNotifications;
- (void)unregisterForRemoteNotifications;
@end

// SOURCE: https://developer.apple.com/documentation/appkit/nsapp
extern __kindof NSApplication *_Null_unspecified NSApp NS_SWIFT_UI_ACTOR;

#define APPKIT_NOTIFICATION(objective, swift)                                                                          \
  extern NSNotificationName const NSApplication##objective##Notification NS_SWIFT_NONISOLATED                          \
      NS_SWIFT_NAME(NSApplication.swift##Notification)

// SOURCE: NSApplication.h of macOS 12
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
extern NSNotificationName const NSApplicationProtectedDataWillBecomeUnavailableNotification NS_SWIFT_NONISOLATED;
extern NSNotificationName const NSApplicationProtectedDataDidBecomeAvailableNotification NS_SWIFT_NONISOLATED;

// SOURCE: https://developer.apple.com/documentation/appkit/nsapplication/launchusernotificationuserinfokey
extern NSString *const NSApplicationLaunchUserNotificationKey
    NS_SWIFT_NAME(NSApplication.launchUserNotificationUserInfoKey);
extern NSString *const NSApplicationLaunchIsDefaultLaunchKey NS_SWIFT_NAME(NSApplication.launchIsDefaultUserInfoKey);

NS_HEADER_AUDIT_END
