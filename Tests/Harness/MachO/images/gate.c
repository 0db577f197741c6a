// Mach-O only: an image that lets a test run code inside the initializer of another image.

#include "by_hand.h"

EXPORTED void (*gate_function)(void) = 0;
