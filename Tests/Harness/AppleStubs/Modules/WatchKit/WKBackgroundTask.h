#pragma once
#include <Foundation/Foundation.h>

NS_HEADER_AUDIT_BEGIN

// SOURCE: https://developer.apple.com/documentation/watchkit/wkrefreshbackgroundtask and
// the bindings of objc2 for watchOS 26.5
NS_SWIFT_SENDABLE
@interface WKRefreshBackgroundTask : NSObject
- (void)setTaskCompletedWithSnapshot:(BOOL)refreshSnapshot;
@end

// SOURCE: https://developer.apple.com/documentation/watchkit/wkapplicationrefreshbackgroundtask and
// the bindings of objc2 for watchOS 26.5
@interface WKApplicationRefreshBackgroundTask : WKRefreshBackgroundTask
@end

// SOURCE: https://developer.apple.com/documentation/watchkit/wksnapshotrefreshbackgroundtask and
// the bindings of objc2 for watchOS 26.5. The parameter `userInfo` is a secure-coding object there,
// which no code here passes.
@interface WKSnapshotRefreshBackgroundTask : WKRefreshBackgroundTask
- (void)setTaskCompletedWithDefaultStateRestored:(BOOL)restoredDefaultState
                     estimatedSnapshotExpiration:(nullable NSDate *)estimatedSnapshotExpiration
                                        userInfo:(nullable id)userInfo
    NS_SWIFT_NAME(setTaskCompleted(restoredDefaultState:estimatedSnapshotExpiration:userInfo:));
@end

// SOURCE: https://developer.apple.com/documentation/watchkit/wkurlsessionrefreshbackgroundtask and
// the bindings of objc2 for watchOS 26.5
@interface WKURLSessionRefreshBackgroundTask : WKRefreshBackgroundTask
@property(readonly, copy) NSString *sessionIdentifier;
@end

NS_HEADER_AUDIT_END
