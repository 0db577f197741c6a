// Mach-O alone: what ../images/reaches.c refers to; another library exports it on.

#include "by_hand.h"

EXPORTED char reached[2000] = {[3] = 'n', [1000] = 'f'};
