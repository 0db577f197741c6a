// The part of UserNotifications that the package and the samples use.
#pragma once
#include <Foundation/Foundation.h>

NS_HEADER_AUDIT_BEGIN

@protocol UNUserNotificationCenterDelegate;

// SOURCE: https://developer.apple.com/documentation/usernotifications/unnotificationtrigger
// and UNNotificationTrigger.h of iOS 27.0
@interface UNNotificationTrigger : NSObject
- (instancetype)init NS_UNAVAILABLE;
@property(nonatomic, readonly) BOOL repeats;
@end

// SOURCE: https://developer.apple.com/documentation/usernotifications/unpushnotificationtrigger
// and UNNotificationTrigger.h of iOS 27.0
@interface UNPushNotificationTrigger : UNNotificationTrigger
@end

// SOURCE: https://developer.apple.com/documentation/usernotifications/unnotificationcontent
// and the bindings of objc2 for iOS 26.5
@interface UNNotificationContent : NSObject
@property(nonatomic, readonly, copy, nullable) NSNumber *badge;
@property(nonatomic, readonly, copy) NSString *body API_UNAVAILABLE(tvos);
@property(nonatomic, readonly, copy) NSString *categoryIdentifier API_UNAVAILABLE(tvos);
@property(nonatomic, readonly, copy) NSString *subtitle API_UNAVAILABLE(tvos);
@property(nonatomic, readonly, copy) NSString *threadIdentifier API_UNAVAILABLE(tvos);
@property(nonatomic, readonly, copy) NSString *title API_UNAVAILABLE(tvos);
@property(nonatomic, readonly, copy) NSDictionary *userInfo API_UNAVAILABLE(tvos);
@end

// SOURCE: https://developer.apple.com/documentation/usernotifications/unnotificationrequest
// and the bindings of objc2 for iOS 26.5
@interface UNNotificationRequest : NSObject
- (instancetype)init NS_UNAVAILABLE;
@property(nonatomic, readonly, copy) NSString *identifier;
@property(nonatomic, readonly, copy) UNNotificationContent *content;
@property(nonatomic, readonly, copy, nullable) UNNotificationTrigger *trigger;
@end

// SOURCE: https://developer.apple.com/documentation/usernotifications/unnotification
// and the bindings of objc2 for iOS 26.5
@interface UNNotification : NSObject
- (instancetype)init NS_UNAVAILABLE;
@property(nonatomic, readonly, copy) NSDate *date;
@property(nonatomic, readonly, copy) UNNotificationRequest *request;
@end

// SOURCE: https://developer.apple.com/documentation/usernotifications/unnotificationdefaultactionidentifier
// and the bindings of objc2 for iOS 26.5
extern NSString *const UNNotificationDefaultActionIdentifier API_UNAVAILABLE(tvos);
extern NSString *const UNNotificationDismissActionIdentifier API_UNAVAILABLE(tvos);

// SOURCE: https://developer.apple.com/documentation/usernotifications/unnotificationresponse
// and the bindings of objc2 for iOS 26.5
API_UNAVAILABLE(tvos)
@interface UNNotificationResponse : NSObject
- (instancetype)init NS_UNAVAILABLE;
@property(nonatomic, readonly, copy) UNNotification *notification;
@property(nonatomic, readonly, copy) NSString *actionIdentifier;
@end

// SOURCE: https://developer.apple.com/documentation/usernotifications/untextinputnotificationresponse
// and the bindings of objc2 for iOS 26.5
API_UNAVAILABLE(tvos)
@interface UNTextInputNotificationResponse : UNNotificationResponse
@property(nonatomic, readonly, copy) NSString *userText;
@end

// SOURCE: https://developer.apple.com/documentation/usernotifications/unusernotificationcenter
// and UNUserNotificationCenter.h of iOS 27.0
@interface UNUserNotificationCenter : NSObject
@property(nonatomic, nullable, weak) id<UNUserNotificationCenterDelegate> delegate;
+ (UNUserNotificationCenter *)currentNotificationCenter;
- (instancetype)init NS_UNAVAILABLE;
@end

// SOURCE: https://developer.apple.com/documentation/usernotifications/unnotificationpresentationoptions
// and UNUserNotificationCenter.h of iOS 27.0
typedef NS_OPTIONS(NSUInteger, UNNotificationPresentationOptions) {
  UNNotificationPresentationOptionBadge = (1 << 0),
  UNNotificationPresentationOptionSound = (1 << 1),
  UNNotificationPresentationOptionAlert API_DEPRECATED("Use UNNotificationPresentationOptionList | "
                                                       "UNNotificationPresentationOptionBanner") = (1 << 2),
  UNNotificationPresentationOptionList = (1 << 3),
  UNNotificationPresentationOptionBanner = (1 << 4),
};

// SOURCE: https://developer.apple.com/documentation/usernotifications/unusernotificationcenterdelegate
// and UNUserNotificationCenter.h of iOS 27.0. The pages and the bindings of objc2 for iOS 26.5
// state that the completion handlers are Sendable, but this header does not.
@protocol UNUserNotificationCenterDelegate <NSObject>
@optional
- (void)userNotificationCenter:(UNUserNotificationCenter *)center
       willPresentNotification:(UNNotification *)notification
         withCompletionHandler:(void(NS_SWIFT_SENDABLE ^)(UNNotificationPresentationOptions options))completionHandler;
- (void)userNotificationCenter:(UNUserNotificationCenter *)center
    didReceiveNotificationResponse:(UNNotificationResponse *)response
             withCompletionHandler:(void(NS_SWIFT_SENDABLE ^)(void))completionHandler API_UNAVAILABLE(tvos);
- (void)userNotificationCenter:(UNUserNotificationCenter *)center
    openSettingsForNotification:(nullable UNNotification *)notification API_UNAVAILABLE(watchos, tvos);
@end

NS_HEADER_AUDIT_END
