// Mach-O alone: refers to what will not be there when it is loaded.

#include "by_hand.h"

int missing_value(void);

EXPORTED int wants_value(void) { return missing_value(); }
