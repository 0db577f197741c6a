// The part of UserNotifications that the package and its pages use.
#pragma once
#include <Foundation/Foundation.h>

NS_HEADER_AUDIT_BEGIN

@protocol UNUserNotificationCenterDelegate;

@interface UNNotificationTrigger : NSObject
- (instancetype)init NS_UNAVAILABLE;
@end

@interface UNPushNotificationTrigger : UNNotificationTrigger
@end

@interface UNNotificationContent : NSObject
@property(nonatomic, readonly, copy, nullable) NSNumber *badge;
@property(nonatomic, readonly, copy) NSString *body API_UNAVAILABLE(tvos);
@property(nonatomic, readonly, copy) NSString *categoryIdentifier API_UNAVAILABLE(tvos);
@property(nonatomic, readonly, copy) NSString *subtitle API_UNAVAILABLE(tvos);
@property(nonatomic, readonly, copy) NSString *threadIdentifier API_UNAVAILABLE(tvos);
@property(nonatomic, readonly, copy) NSString *title API_UNAVAILABLE(tvos);
@property(nonatomic, readonly, copy) NSDictionary *userInfo API_UNAVAILABLE(tvos);
@end

@interface UNNotificationRequest : NSObject
- (instancetype)init NS_UNAVAILABLE;
@property(nonatomic, readonly, copy) NSString *identifier;
@property(nonatomic, readonly, copy) UNNotificationContent *content;
@property(nonatomic, readonly, copy, nullable) UNNotificationTrigger *trigger;
@end

@interface UNNotification : NSObject
- (instancetype)init NS_UNAVAILABLE;
@property(nonatomic, readonly, copy) NSDate *date;
@property(nonatomic, readonly, copy) UNNotificationRequest *request;
@end

extern NSString *const UNNotificationDefaultActionIdentifier API_UNAVAILABLE(tvos);
extern NSString *const UNNotificationDismissActionIdentifier API_UNAVAILABLE(tvos);

API_UNAVAILABLE(tvos)
@interface UNNotificationResponse : NSObject
- (instancetype)init NS_UNAVAILABLE;
@property(nonatomic, readonly, copy) UNNotification *notification;
@property(nonatomic, readonly, copy) NSString *actionIdentifier;
@end

API_UNAVAILABLE(tvos)
@interface UNTextInputNotificationResponse : UNNotificationResponse
@property(nonatomic, readonly, copy) NSString *userText;
@end

@interface UNUserNotificationCenter : NSObject
@property(nonatomic, nullable, weak) id<UNUserNotificationCenterDelegate> delegate;
+ (UNUserNotificationCenter *)currentNotificationCenter;
- (instancetype)init NS_UNAVAILABLE;
@end

typedef NS_OPTIONS(NSUInteger, UNNotificationPresentationOptions) {
  UNNotificationPresentationOptionBadge = (1 << 0),
  UNNotificationPresentationOptionSound = (1 << 1),
  UNNotificationPresentationOptionAlert API_DEPRECATED("Use UNNotificationPresentationOptionList | "
                                                       "UNNotificationPresentationOptionBanner") = (1 << 2),
  UNNotificationPresentationOptionList = (1 << 3),
  UNNotificationPresentationOptionBanner = (1 << 4),
};

@protocol UNUserNotificationCenterDelegate <NSObject>
@optional
- (void)userNotificationCenter:(UNUserNotificationCenter *)center
       willPresentNotification:(UNNotification *)notification
         withCompletionHandler:(void(NS_SWIFT_SENDABLE ^)(UNNotificationPresentationOptions options))completionHandler;
- (void)userNotificationCenter:(UNUserNotificationCenter *)center
    didReceiveNotificationResponse:(UNNotificationResponse *)response
             withCompletionHandler:(void(NS_SWIFT_SENDABLE ^)(void))completionHandler API_UNAVAILABLE(tvos);
@end

NS_HEADER_AUDIT_END
