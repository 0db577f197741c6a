#pragma once
#include "UIScene.h"

NS_HEADER_AUDIT_BEGIN

@class CKShareMetadata, UIWindow, UIWindowScene;

// SOURCE: https://developer.apple.com/documentation/uikit/uiscenedelegate
// and the pages of its methods
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
// https://developer.apple.com/documentation/uikit/uiscenedelegate and its method
// `scene(_:restoreInteractionStateWith:)`
- (void)scene:(UIScene *)scene
    restoreInteractionStateWithUserActivity:(NSUserActivity *)stateRestorationActivity;
- (void)scene:(UIScene *)scene willContinueUserActivityWithType:(NSString *)userActivityType;
- (void)scene:(UIScene *)scene continueUserActivity:(NSUserActivity *)userActivity;
- (void)scene:(UIScene *)scene
    didFailToContinueUserActivityWithType:(NSString *)userActivityType
                                    error:(NSError *)error;
- (void)scene:(UIScene *)scene didUpdateUserActivity:(NSUserActivity *)userActivity;
@end

// SOURCE: https://developer.apple.com/documentation/uikit/uiwindowscenedelegate
// and the pages of its methods
// and https://onestack.dev/ios-reference/UIKit/UIWindowSceneDelegate (iOS 27.1)
API_UNAVAILABLE(watchos) NS_SWIFT_UI_ACTOR
@protocol UIWindowSceneDelegate <UISceneDelegate>
@optional
@property(nullable, nonatomic, strong) UIWindow *window;
- (void)windowScene:(UIWindowScene *)windowScene
    performActionForShortcutItem:(UIApplicationShortcutItem *)shortcutItem
               completionHandler:(void (^)(BOOL succeeded))completionHandler API_UNAVAILABLE(tvos);
// UIWindowScene.h of iOS 18
- (void)windowScene:(UIWindowScene *)windowScene
    userDidAcceptCloudKitShareWithMetadata:(CKShareMetadata *)cloudKitShareMetadata;
@end

NS_HEADER_AUDIT_END
