// Mach-O only: the symbol that reaches.c refers to, which another library re-exports.

#include "by_hand.h"

EXPORTED char reached[2000] = {[3] = 'n', [1000] = 'f'};
