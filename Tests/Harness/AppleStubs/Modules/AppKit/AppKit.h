// The part of AppKit that the package and the samples use.
#pragma once
#include "NSApplication.h"
#include "NSApplicationDelegate.h"
#include "NSResponder.h"
