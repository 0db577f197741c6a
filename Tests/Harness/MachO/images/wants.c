// Mach-O only: an image that refers to a symbol that is missing when it is loaded.

#include "by_hand.h"

int missing_value(void);

EXPORTED int wants_value(void) { return missing_value(); }
