// Mach-O only: an image with a weak import that can be missing, and with initialized thread-local
// variables.

#include "by_hand.h"

__attribute__((weak_import)) int missing_value(void);

EXPORTED int optional_value(void) { return missing_value ? missing_value() : -1; }

static _Thread_local int counter = 5;
static _Thread_local char room[24];

EXPORTED int optional_count(void) { return counter++ + room[0]; }
