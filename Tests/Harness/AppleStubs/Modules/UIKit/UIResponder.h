#pragma once
#include <Foundation/Foundation.h>

NS_HEADER_AUDIT_BEGIN

// SOURCE: https://developer.apple.com/documentation/uikit/uiuseractivityrestoring
// and UIUserActivity.h of iOS 27.0
API_UNAVAILABLE(watchos) NS_SWIFT_UI_ACTOR
@protocol UIUserActivityRestoring <NSObject>
- (void)restoreUserActivityState:(NSUserActivity *)userActivity;
@end

// SOURCE: https://developer.apple.com/documentation/uikit/uiresponder
// and UIResponder.h of iOS 27.0
API_UNAVAILABLE(watchos) NS_SWIFT_UI_ACTOR
@interface UIResponder : NSObject
@property(nonatomic, readonly, nullable) UIResponder *nextResponder NS_SWIFT_NAME(next);
@property(nonatomic, readonly) BOOL canBecomeFirstResponder;
- (BOOL)becomeFirstResponder;
@end

// SOURCE: https://developer.apple.com/documentation/uikit/uiresponder
// and UIResponder.h of iOS 27.0
@interface UIResponder (ActivityContinuation) <UIUserActivityRestoring>
@property(nullable, nonatomic, strong) NSUserActivity *userActivity;
- (void)updateUserActivityState:(NSUserActivity *)activity;
- (void)restoreUserActivityState:(NSUserActivity *)activity;
@end

NS_HEADER_AUDIT_END
