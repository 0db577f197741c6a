// The accessors of the records in by_hand.c. Their code differs, so that no linker merges them.

#include "registry_record.h"

__attribute__((visibility("hidden"))) bool answers_first(void *out, const void *type, uintptr_t reserved) {
  return out != type && reserved == 1;
}

__attribute__((visibility("hidden"))) bool answers_second(void *out, const void *type, uintptr_t reserved) {
  return out == type && reserved == 2;
}
