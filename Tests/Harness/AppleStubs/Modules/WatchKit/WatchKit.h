// The part of WatchKit that the package and the samples use.
#pragma once
#include "WKApplication.h"
#include "WKBackgroundTask.h"
