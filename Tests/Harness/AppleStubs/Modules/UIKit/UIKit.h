// The part of UIKit that the package and the samples use.
#pragma once
#include "UIApplication.h"
#include "UIApplicationDelegate.h"
#include "UILocalNotification.h"
#include "UIResponder.h"
#include "UIScene.h"
#include "UISceneDelegate.h"
#include "UISceneOptions.h"
#include "UISceneSession.h"
#include "UIShortcutItem.h"
#include "UIWindow.h"
#include "UNNotificationResponse+UIKitAdditions.h"
