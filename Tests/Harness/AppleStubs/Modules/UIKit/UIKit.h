// The part of UIKit that the package and its pages use.
#pragma once
#include "UIApplication.h"
#include "UIScene.h"
