#pragma once
#include <Foundation/Foundation.h>

NS_HEADER_AUDIT_BEGIN

NS_SWIFT_UI_ACTOR
@interface NSResponder : NSObject
- (instancetype)init NS_DESIGNATED_INITIALIZER;
@property(nullable, assign) NSResponder *nextResponder;
@end

@protocol NSUserActivityRestoring <NSObject>
- (void)restoreUserActivityState:(NSUserActivity *)userActivity;
@end

@interface NSResponder (NSUserActivity) <NSUserActivityRestoring>
@property(nullable, strong) NSUserActivity *userActivity;
- (void)updateUserActivityState:(NSUserActivity *)userActivity;
@end

NS_HEADER_AUDIT_END
