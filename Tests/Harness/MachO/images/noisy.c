// Mach-O only: an image that reports its initialization and termination to the observer.

#include "observer.h"

extern const char noisy_header[] __asm("__mh_dylib_header");

__attribute__((constructor)) static void begin(void) { observer_note('i', noisy_header); }

__attribute__((destructor)) static void end(void) { observer_note('t', noisy_header); }
