#pragma once
#include "UIResponder.h"
#include "UISceneOptions.h"
#include "UISceneSession.h"

NS_HEADER_AUDIT_BEGIN

@protocol UISceneDelegate;

// SOURCE: https://developer.apple.com/documentation/uikit/uiscene/activationstate-swift.enum
// and the bindings of objc2 for iOS 26.5
typedef NS_ENUM(NSInteger, UISceneActivationState) {
  UISceneActivationStateUnattached = -1,
  UISceneActivationStateForegroundActive,
  UISceneActivationStateForegroundInactive,
  UISceneActivationStateBackground
} NS_SWIFT_NAME(UIScene.ActivationState);

// SOURCE: https://developer.apple.com/documentation/uikit/uiscene
// and UIScene.h of iOS 27.0
API_UNAVAILABLE(watchos) NS_SWIFT_UI_ACTOR
@interface UIScene : UIResponder
- (instancetype)init NS_UNAVAILABLE;
- (instancetype)initWithSession:(UISceneSession *)session
              connectionOptions:(UISceneConnectionOptions *)connectionOptions NS_DESIGNATED_INITIALIZER;
@property(nonatomic, readonly) UISceneSession *session;
@property(nullable, nonatomic, strong) id<UISceneDelegate> delegate;
@property(nonatomic, readonly) UISceneActivationState activationState;
@property(null_resettable, nonatomic, copy) NSString *title;
@end

// SOURCE: https://developer.apple.com/documentation/uikit/uiscene
// and UIScene.h of iOS 27.0
extern NSNotificationName const UISceneWillConnectNotification NS_SWIFT_NONISOLATED
    NS_SWIFT_NAME(UIScene.willConnectNotification);
extern NSNotificationName const UISceneDidDisconnectNotification NS_SWIFT_NONISOLATED
    NS_SWIFT_NAME(UIScene.didDisconnectNotification);
extern NSNotificationName const UISceneDidActivateNotification NS_SWIFT_NONISOLATED
    NS_SWIFT_NAME(UIScene.didActivateNotification);
extern NSNotificationName const UISceneWillDeactivateNotification NS_SWIFT_NONISOLATED
    NS_SWIFT_NAME(UIScene.willDeactivateNotification);
extern NSNotificationName const UISceneWillEnterForegroundNotification NS_SWIFT_NONISOLATED
    NS_SWIFT_NAME(UIScene.willEnterForegroundNotification);
extern NSNotificationName const UISceneDidEnterBackgroundNotification NS_SWIFT_NONISOLATED
    NS_SWIFT_NAME(UIScene.didEnterBackgroundNotification);

NS_HEADER_AUDIT_END
