#pragma once
#include "UIScene.h"
#include <UserNotifications/UserNotifications.h>

NS_HEADER_AUDIT_BEGIN

// SOURCE: https://developer.apple.com/documentation/usernotifications/unnotificationresponse/targetscene
@interface UNNotificationResponse (UIKitAdditions)
@property(nullable, nonatomic, readonly) UIScene *targetScene API_UNAVAILABLE(tvos, watchos);
@end

NS_HEADER_AUDIT_END
