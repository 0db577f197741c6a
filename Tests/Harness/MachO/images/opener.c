// Mach-O only: an image that opens another one in its terminator.

#include "by_hand.h"

#include <dlfcn.h>

EXPORTED const char *opener_path = 0;

__attribute__((destructor)) static void end(void) {
  if (opener_path) (void)dlopen(opener_path, RTLD_LAZY);
}
