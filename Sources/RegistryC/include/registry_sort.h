// The order of modules without `after`. In C, because comparing Swift strings and counting
// references took most of the time of a start with thousands of modules.

#ifndef REGISTRY_SORT_H
#define REGISTRY_SORT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __clang__
#pragma clang assume_nonnull begin
#endif

typedef struct registry_sort_key {
  int64_t priority;
  const unsigned char *name;
  size_t name_size;
  uintptr_t address;
  /// The position before sorting.
  size_t position;
} registry_sort_key;

/// Sorts keys by descending priority, then by the bytes of their names, their addresses, and their
/// positions.
void registry_sort(registry_sort_key *keys, size_t count);

#ifdef __clang__
#pragma clang assume_nonnull end
#endif

#ifdef __cplusplus
}
#endif

#endif
