// The accessors of the records in by_hand.c. Different code, lest a linker fold them into one.

#include "registry_record.h"

__attribute__((visibility("hidden"))) bool answers_first(void *out, const void *type, uintptr_t reserved) {
  return out != type && reserved == 1;
}

__attribute__((visibility("hidden"))) bool answers_second(void *out, const void *type, uintptr_t reserved) {
  return out == type && reserved == 2;
}
