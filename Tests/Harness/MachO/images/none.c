// An image without records.

#include "by_hand.h"

EXPORTED int none_value(void) { return 1; }
