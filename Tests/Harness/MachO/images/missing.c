// The library that wants.c is linked against, and that is missing when the image is loaded.

#include "by_hand.h"

EXPORTED int missing_value(void) { return 3; }
