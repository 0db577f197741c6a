// Records at the boundaries of pages. One record ends at the end of a page, and one begins at the
// start of the next. One extends across a boundary, with its relocated accessor slot after it, and
// another one has its JSON after a boundary.

#include "by_hand.h"

enum { PAGE = 4096, ACCESSOR = 24 };

EXPORTED bool pages_accessor(void *out, const void *type, uintptr_t reserved) {
  (void)type;
  (void)reserved;
  *(int *)out = 4096;
  return true;
}

#define SERVICE(name) BY_HAND(REGISTRY_KIND_SERVICE, pages_accessor, "{\"class\":\"Pages." name "\"}")

EXPORTED const struct {
  char before[PAGE - sizeof(by_hand)];
  by_hand ends;
  by_hand begins;
  char between[PAGE - sizeof(by_hand) - ACCESSOR];
  by_hand across;
  char more[PAGE - (sizeof(by_hand) - ACCESSOR) - 32];
  by_hand parted;
} pages_records IN_SECTION("__reg_services") __attribute__((aligned(4096))) = {
    .ends = SERVICE("Ends"),
    .begins = SERVICE("Begins"),
    .across = SERVICE("Across"),
    .parted = SERVICE("Parted"),
};
