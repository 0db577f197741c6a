// An image with a few records of every kind, which ../tests/test.c lists.

#include "by_hand.h"
#include "registry_export.h"

REGISTRY_EXPORT_MODULE(Few.First)
REGISTRY_EXPORT_MODULE(Few.Second, level(basic), priority(-3), after(Few.First, Läden.Modul))
REGISTRY_EXPORT_SERVICE(Api.Clock, Few.Clock)
REGISTRY_EXPORT_SERVICE(Api.Clock, Few.Other, scope(shared), named(other), priority(7))

EXPORTED char few_type;

/// Provides the value 42 for this image's type.
EXPORTED bool few_accessor(void *out, const void *type, uintptr_t reserved) {
  (void)reserved;
  if (!type) {
    *(const void **)out = &few_type;
    return true;
  }
  if (type != &few_type) return false;
  *(int *)out = 42;
  return true;
}

EXPORTED const by_hand few_by_hand IN_SECTION("__reg_services") =
    BY_HAND(REGISTRY_KIND_SERVICE, few_accessor, "{\"protocol\":\"P\",\"class\":\"Few.Swift\"}");

// This record has the kind of routes, "rout".
EXPORTED const by_hand few_route IN_SECTION("__reg_exports") =
    BY_HAND(0x726f7574, 0, "{\"path\":\"/cart\"}");

EXPORTED int few_value(void) { return 41; }
