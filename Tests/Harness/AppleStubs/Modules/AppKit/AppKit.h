// AppKit, as far as it is used.
#pragma once
#include "NSApplication.h"
#include "NSApplicationDelegate.h"
#include "NSResponder.h"
