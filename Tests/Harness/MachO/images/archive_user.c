// An image that refers to one of the two members of a static library.

#include "by_hand.h"

int member_used(void);

EXPORTED int archive_value(void) { return member_used(); }
