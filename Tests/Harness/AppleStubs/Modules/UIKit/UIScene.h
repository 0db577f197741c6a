// Scenes, windows, and the delegates of scenes.
#pragma once
#include "UIApplication.h"
#include <UserNotifications/UserNotifications.h>

@class UIOpenURLContext, UIWindowScene;
@protocol UISceneDelegate;

NS_HEADER_AUDIT_BEGIN

API_UNAVAILABLE(watchos) NS_SWIFT_UI_ACTOR
API_DEPRECATED_ON_VISIONOS("Loading Interface Builder products will not be supported in a future version of visionOS.")
@interface UIStoryboard : NSObject
+ (UIStoryboard *)storyboardWithName:(NSString *)name bundle:(nullable NSBundle *)storyboardBundleOrNil;
@end

typedef NSString *UISceneSessionRole NS_TYPED_EXTENSIBLE_ENUM NS_SWIFT_NAME(UISceneSession.Role);

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

API_UNAVAILABLE(watchos) NS_SWIFT_UI_ACTOR NS_SWIFT_NAME(UIScene.OpenURLOptions)
@interface UISceneOpenURLOptions : NSObject
- (instancetype)init NS_UNAVAILABLE;
@property(nullable, nonatomic, readonly) NSString *sourceApplication;
@property(nullable, nonatomic, readonly) id annotation;
@property(nonatomic, readonly) BOOL openInPlace;
@end

API_UNAVAILABLE(watchos) NS_SWIFT_UI_ACTOR
@interface UIOpenURLContext : NSObject
- (instancetype)init NS_UNAVAILABLE;
@property(nonatomic, readonly, copy) NSURL *URL;
@property(nonatomic, readonly, strong) UISceneOpenURLOptions *options;
@end

API_UNAVAILABLE(watchos) NS_SWIFT_UI_ACTOR
@interface UIScene : UIResponder
- (instancetype)init NS_UNAVAILABLE;
@property(nonatomic, readonly) UISceneSession *session;
@property(nullable, nonatomic, strong) id<UISceneDelegate> delegate;
@property(null_resettable, nonatomic, copy) NSString *title;
@end

UIKIT_NOTIFICATION(UIScene, DidDisconnect, didDisconnect);
UIKIT_NOTIFICATION(UIScene, DidActivate, didActivate);
UIKIT_NOTIFICATION(UIScene, WillDeactivate, willDeactivate);
UIKIT_NOTIFICATION(UIScene, WillEnterForeground, willEnterForeground);
UIKIT_NOTIFICATION(UIScene, DidEnterBackground, didEnterBackground);

API_UNAVAILABLE(watchos) NS_SWIFT_UI_ACTOR
@interface UIWindowScene : UIScene
@end

API_UNAVAILABLE(watchos) NS_SWIFT_UI_ACTOR
@interface UIViewController : UIResponder <NSCoding>
- (instancetype)initWithNibName:(nullable NSString *)nibNameOrNil
                         bundle:(nullable NSBundle *)nibBundleOrNil NS_DESIGNATED_INITIALIZER;
- (nullable instancetype)initWithCoder:(NSCoder *)coder NS_DESIGNATED_INITIALIZER;
@property(nullable, nonatomic, copy) NSString *title;
@end

API_UNAVAILABLE(watchos) NS_SWIFT_UI_ACTOR
@interface UIView : UIResponder
@end

API_UNAVAILABLE(watchos) NS_SWIFT_UI_ACTOR
@interface UIWindow : UIView
- (instancetype)initWithWindowScene:(UIWindowScene *)windowScene NS_DESIGNATED_INITIALIZER;
@property(nullable, nonatomic, weak) UIWindowScene *windowScene;
@property(nullable, nonatomic, strong) UIViewController *rootViewController;
- (void)makeKeyAndVisible;
@end

API_UNAVAILABLE(watchos) NS_SWIFT_UI_ACTOR
@protocol UISceneDelegate <NSObject>
@optional
- (void)scene:(UIScene *)scene
    willConnectToSession:(UISceneSession *)session
                 options:(UISceneConnectionOptions *)connectionOptions;
- (void)sceneDidDisconnect:(UIScene *)scene;
- (void)sceneDidBecomeActive:(UIScene *)scene;
- (void)sceneWillResignActive:(UIScene *)scene;
- (void)sceneWillEnterForeground:(UIScene *)scene;
- (void)sceneDidEnterBackground:(UIScene *)scene;
- (void)scene:(UIScene *)scene openURLContexts:(NSSet<UIOpenURLContext *> *)URLContexts;
- (nullable NSUserActivity *)stateRestorationActivityForScene:(UIScene *)scene;
- (void)scene:(UIScene *)scene
    restoreInteractionStateWithUserActivity:(NSUserActivity *)stateRestorationActivity;
- (void)scene:(UIScene *)scene willContinueUserActivityWithType:(NSString *)userActivityType;
- (void)scene:(UIScene *)scene continueUserActivity:(NSUserActivity *)userActivity;
- (void)scene:(UIScene *)scene
    didFailToContinueUserActivityWithType:(NSString *)userActivityType
                                    error:(NSError *)error;
- (void)scene:(UIScene *)scene didUpdateUserActivity:(NSUserActivity *)userActivity;
@end

API_UNAVAILABLE(watchos) NS_SWIFT_UI_ACTOR
@protocol UIWindowSceneDelegate <UISceneDelegate>
@optional
@property(nullable, nonatomic, strong) UIWindow *window;
- (void)windowScene:(UIWindowScene *)windowScene
    performActionForShortcutItem:(UIApplicationShortcutItem *)shortcutItem
               completionHandler:(void (^)(BOOL succeeded))completionHandler API_UNAVAILABLE(tvos);
- (void)windowScene:(UIWindowScene *)windowScene
    userDidAcceptCloudKitShareWithMetadata:(CKShareMetadata *)cloudKitShareMetadata;
@end

@interface UNNotificationResponse (UIKitAdditions)
@property(nullable, nonatomic, readonly) UIScene *targetScene API_UNAVAILABLE(tvos, watchos);
@end

NS_HEADER_AUDIT_END
