#pragma once
#include <Foundation/Foundation.h>

NS_HEADER_AUDIT_BEGIN

// SOURCE: https://developer.apple.com/documentation/appkit/nsresponder
// and NSResponder.h of macOS 27.0
NS_SWIFT_UI_ACTOR
@interface NSResponder : NSObject
- (instancetype)init NS_DESIGNATED_INITIALIZER;
@property(nullable, unsafe_unretained) NSResponder *nextResponder;
@end

// SOURCE: https://developer.apple.com/documentation/appkit/nsuseractivityrestoring
// and the bindings of objc2 for macOS 26.5
@protocol NSUserActivityRestoring <NSObject>
- (void)restoreUserActivityState:(NSUserActivity *)userActivity NS_SWIFT_UI_ACTOR;
@end

// SOURCE: https://developer.apple.com/documentation/appkit/nsresponder
// and the bindings of objc2 for macOS 26.5
@interface NSResponder (NSUserActivity) <NSUserActivityRestoring>
@property(nullable, strong) NSUserActivity *userActivity;
- (void)updateUserActivityState:(NSUserActivity *)userActivity;
@end

NS_HEADER_AUDIT_END
