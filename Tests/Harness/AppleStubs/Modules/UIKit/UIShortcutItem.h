#pragma once
#include <Foundation/Foundation.h>

NS_HEADER_AUDIT_BEGIN

// SOURCE: https://developer.apple.com/documentation/uikit/uiapplicationshortcutitem
// and the bindings of objc2 for iOS 26.5
API_UNAVAILABLE(tvos, watchos) NS_SWIFT_UI_ACTOR
@interface UIApplicationShortcutItem : NSObject
- (instancetype)init NS_UNAVAILABLE;
- (instancetype)initWithType:(NSString *)type localizedTitle:(NSString *)localizedTitle;
@property(nonatomic, copy, readonly) NSString *type;
@property(nonatomic, copy, readonly) NSString *localizedTitle;
@property(nullable, nonatomic, copy, readonly) NSString *localizedSubtitle;
@property(nullable, nonatomic, copy, readonly) NSDictionary<NSString *, id> *userInfo;
@property(nullable, nonatomic, copy, readonly) id targetContentIdentifier;
@end

NS_HEADER_AUDIT_END
