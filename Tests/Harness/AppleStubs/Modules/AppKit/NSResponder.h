#pragma once
#include <Foundation/Foundation.h>

NS_HEADER_AUDIT_BEGIN

// SOURCE: https://developer.apple.com/documentation/appkit/nsresponder
NS_SWIFT_UI_ACTOR
@interface NSResponder : NSObject
- (instancetype)init NS_DESIGNATED_INITIALIZER;
@property(nullable, assign) NSResponder *nextResponder;
@end

// SOURCE: https://developer.apple.com/documentation/appkit/nsuseractivityrestoring
@protocol NSUserActivityRestoring <NSObject>
- (void)restoreUserActivityState:(NSUserActivity *)userActivity;
@end

// SOURCE: https://developer.apple.com/documentation/appkit/nsresponder
@interface NSResponder (NSUserActivity) <NSUserActivityRestoring>
@property(nullable, strong) NSUserActivity *userActivity;
- (void)updateUserActivityState:(NSUserActivity *)userActivity;
@end

NS_HEADER_AUDIT_END
