// What ../images/wants.c is linked against, and does not find again.

#include "by_hand.h"

EXPORTED int missing_value(void) { return 3; }
