// Mach-O only: an image that records dyld's callbacks, so that the tests can compare the tests'
// dyld with dyld's documentation.

#include "by_hand.h"
#include "observer.h"

#include <mach-o/dyld.h>
#include <mach-o/loader.h>

EXPORTED observer_event observer_events[64];
EXPORTED int observer_count = 0;

EXPORTED void observer_note(char what, const void *image) {
  observer_events[observer_count++ % 64] = (observer_event){what, image};
}

static void came(const struct mach_header *header, intptr_t slide) {
  (void)slide;
  observer_note('+', header);
}

static void went(const struct mach_header *header, intptr_t slide) {
  (void)slide;
  // The header must still be readable.
  observer_note(header->magic == MH_MAGIC_64 ? '-' : '?', header);
}

__attribute__((constructor)) static void start(void) {
  _dyld_register_func_for_add_image(came);
  _dyld_register_func_for_remove_image(went);
}
