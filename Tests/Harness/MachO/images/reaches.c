// Mach-O alone: refers to others in the rarer ways: through a library that exports another's symbols, into the middle of
// what they export, to whoever has a name, and to a library that is not there.

#include "by_hand.h"

extern char reached[2000];
int none_value(void);
__attribute__((weak_import)) int missing_value(void);

EXPORTED char *reaches_near = &reached[3];
EXPORTED char *reaches_far = &reached[1000];

EXPORTED int reaches_any(void) { return none_value(); }

EXPORTED int reaches_missing(void) { return missing_value ? missing_value() : -1; }
