// Mach-O only: an image that refers to others in rare ways: through a library that re-exports a
// symbol, into the middle of an exported variable, by flat lookup, and to a missing library.

#include "by_hand.h"

extern char reached[2000];
int none_value(void);
__attribute__((weak_import)) int missing_value(void);

EXPORTED char *reaches_near = &reached[3];
EXPORTED char *reaches_far = &reached[1000];

EXPORTED int reaches_any(void) { return none_value(); }

EXPORTED int reaches_missing(void) { return missing_value ? missing_value() : -1; }
