#pragma once
#include <Foundation/Foundation.h>

NS_HEADER_AUDIT_BEGIN

@class CKShareMetadata, UIApplicationShortcutItem, UIOpenURLContext, UNNotificationResponse;

// SOURCE: https://developer.apple.com/documentation/uikit/uiscene/connectionoptions
// and UISceneOptions.h of iOS 27.0
API_UNAVAILABLE(watchos) NS_SWIFT_UI_ACTOR NS_SWIFT_NAME(UIScene.ConnectionOptions)
@interface UISceneConnectionOptions : NSObject
- (instancetype)init NS_UNAVAILABLE;
@property(nonatomic, readonly, copy) NSSet<UIOpenURLContext *> *URLContexts;
@property(nullable, nonatomic, readonly) NSString *sourceApplication;
@property(nullable, nonatomic, readonly) NSString *handoffUserActivityType;
@property(nonatomic, readonly, copy) NSSet<NSUserActivity *> *userActivities;
@property(nullable, nonatomic, readonly) UNNotificationResponse *notificationResponse API_UNAVAILABLE(tvos);
@property(nullable, nonatomic, readonly) UIApplicationShortcutItem *shortcutItem API_UNAVAILABLE(tvos);
@property(nullable, nonatomic, readonly) CKShareMetadata *cloudKitShareMetadata;
@end

// SOURCE: https://developer.apple.com/documentation/uikit/uiscene/openurloptions
// and UISceneOptions.h of iOS 27.0
API_UNAVAILABLE(watchos) NS_SWIFT_UI_ACTOR NS_SWIFT_NAME(UIScene.OpenURLOptions)
@interface UISceneOpenURLOptions : NSObject
- (instancetype)init NS_UNAVAILABLE;
@property(nullable, nonatomic, readonly) NSString *sourceApplication;
@property(nullable, nonatomic, readonly) id annotation;
@property(nonatomic, readonly) BOOL openInPlace;
@end

// SOURCE: https://developer.apple.com/documentation/uikit/uiopenurlcontext
// and the bindings of objc2 for iOS 26.5
API_UNAVAILABLE(watchos) NS_SWIFT_UI_ACTOR
@interface UIOpenURLContext : NSObject
- (instancetype)init NS_UNAVAILABLE;
@property(nonatomic, readonly, copy) NSURL *URL;
@property(nonatomic, readonly, strong) UISceneOpenURLOptions *options;
@end

NS_HEADER_AUDIT_END
