#pragma once
#include <Foundation/Foundation.h>

NS_HEADER_AUDIT_BEGIN

// SOURCE: https://developer.apple.com/documentation/uikit/uilocalnotification
// and the bindings of objc2 for iOS 26.5
API_DEPRECATED("Use UserNotifications Framework's UNNotificationRequest") API_UNAVAILABLE(visionos, tvos, watchos) NS_SWIFT_UI_ACTOR
@interface UILocalNotification : NSObject
@property(nullable, nonatomic, copy) NSDate *fireDate;
@property(nullable, nonatomic, copy) NSString *alertBody;
@property(nullable, nonatomic, copy) NSString *alertTitle;
@property(nullable, nonatomic, copy) NSDictionary *userInfo;
@end

NS_HEADER_AUDIT_END
