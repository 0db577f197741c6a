#pragma once
#include "UIScene.h"
#include <UserNotifications/UserNotifications.h>

NS_HEADER_AUDIT_BEGIN

// SOURCE: https://developer.apple.com/documentation/usernotifications/unnotificationresponse/targetscene
// and the bindings of objc2 for iOS 26.5
@interface UNNotificationResponse (UIKitAdditions)
@property(nullable, nonatomic, readonly) UIScene *targetScene API_UNAVAILABLE(tvos, watchos);
@end

NS_HEADER_AUDIT_END
