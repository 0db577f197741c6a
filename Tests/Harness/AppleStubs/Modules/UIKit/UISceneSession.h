#pragma once
#include <Foundation/Foundation.h>

NS_HEADER_AUDIT_BEGIN

@class UIScene;

// SOURCE: https://developer.apple.com/documentation/uikit/uistoryboard
// and UIStoryboard.h of iOS 27.0
API_UNAVAILABLE(watchos) NS_SWIFT_UI_ACTOR
API_DEPRECATED_ON_VISIONOS("Loading Interface Builder products will not be supported in a future version of visionOS.")
@interface UIStoryboard : NSObject
+ (UIStoryboard *)storyboardWithName:(NSString *)name bundle:(nullable NSBundle *)storyboardBundleOrNil;
@end

// SOURCE: https://developer.apple.com/documentation/uikit/uiscenesession/role-swift.struct
// and the bindings of objc2 for iOS 26.5
typedef NSString *UISceneSessionRole NS_TYPED_EXTENSIBLE_ENUM NS_SWIFT_NAME(UISceneSession.Role);

// SOURCE: https://developer.apple.com/documentation/uikit/uiscenesession/role-swift.struct
// and UIWindowScene.h of iOS 27.0
extern UISceneSessionRole const UIWindowSceneSessionRoleApplication NS_SWIFT_NAME(windowApplication);

// SOURCE: https://developer.apple.com/documentation/uikit/uisceneconfiguration
// and UISceneConfiguration.h of iOS 27.0
API_UNAVAILABLE(watchos) NS_SWIFT_UI_ACTOR
@interface UISceneConfiguration : NSObject
- (instancetype)initWithName:(nullable NSString *)name
                 sessionRole:(UISceneSessionRole)sessionRole NS_DESIGNATED_INITIALIZER;
@property(nonatomic, nullable, readonly) NSString *name;
@property(nonatomic, readonly) UISceneSessionRole role;
@property(nonatomic, nullable) Class sceneClass;
@property(nonatomic, nullable) Class delegateClass;
@property(nonatomic, nullable, strong) UIStoryboard *storyboard;
@end

// SOURCE: https://developer.apple.com/documentation/uikit/uiscenesession
// and UISceneSession.h of iOS 27.0
API_UNAVAILABLE(watchos) NS_SWIFT_UI_ACTOR
@interface UISceneSession : NSObject
- (instancetype)init NS_UNAVAILABLE;
@property(nonatomic, readonly, nullable) UIScene *scene;
@property(nonatomic, readonly) UISceneSessionRole role;
@property(nonatomic, readonly, copy) UISceneConfiguration *configuration;
@property(nonatomic, readonly) NSString *persistentIdentifier;
@property(nonatomic, nullable, strong) NSUserActivity *stateRestorationActivity;
@property(nonatomic, nullable, copy) NSDictionary<NSString *, id> *userInfo;
@end

NS_HEADER_AUDIT_END
