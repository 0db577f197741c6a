// Mach-O only: an image like noisy.c that also depends on it.

#include "observer.h"

extern const char noisier_header[] __asm("__mh_dylib_header");

__attribute__((constructor)) static void begin(void) { observer_note('i', noisier_header); }

__attribute__((destructor)) static void end(void) { observer_note('t', noisier_header); }
