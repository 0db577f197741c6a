#pragma once
#include "UIScene.h"

NS_HEADER_AUDIT_BEGIN

@class UIWindow;

// SOURCE: https://developer.apple.com/documentation/uikit/uiwindowscene
// and UIWindowScene.h of iOS 27.0
API_UNAVAILABLE(watchos) NS_SWIFT_UI_ACTOR
@interface UIWindowScene : UIScene
@property(nonatomic, readonly) NSArray<UIWindow *> *windows;
@property(nullable, nonatomic, readonly, strong) UIWindow *keyWindow;
@end

// SOURCE: https://developer.apple.com/documentation/uikit/uiviewcontroller
// and UIViewController.h of iOS 27.0
API_UNAVAILABLE(watchos) NS_SWIFT_UI_ACTOR
@interface UIViewController : UIResponder <NSCoding>
- (instancetype)initWithNibName:(nullable NSString *)nibNameOrNil
                         bundle:(nullable NSBundle *)nibBundleOrNil NS_DESIGNATED_INITIALIZER;
- (nullable instancetype)initWithCoder:(NSCoder *)coder NS_DESIGNATED_INITIALIZER;
@property(nullable, nonatomic, copy) NSString *title;
- (void)viewDidLoad;
- (void)presentViewController:(UIViewController *)viewControllerToPresent
                     animated:(BOOL)flag
                   completion:(void (^_Nullable)(void))completion NS_SWIFT_DISABLE_ASYNC;
@end

// SOURCE: https://developer.apple.com/documentation/uikit/uiview
API_UNAVAILABLE(watchos) NS_SWIFT_UI_ACTOR
@interface UIView : UIResponder
@end

// SOURCE: https://developer.apple.com/documentation/uikit/uiwindow
// and UIWindow.h of iOS 27.0
API_UNAVAILABLE(watchos) NS_SWIFT_UI_ACTOR
@interface UIWindow : UIView
- (instancetype)initWithWindowScene:(UIWindowScene *)windowScene NS_DESIGNATED_INITIALIZER;
@property(nullable, nonatomic, weak) UIWindowScene *windowScene;
@property(nullable, nonatomic, strong) UIViewController *rootViewController;
- (void)makeKeyAndVisible;
@end

NS_HEADER_AUDIT_END
