// Sorts modules without `after`, and hashes names. With thousands of modules, string operations and
// reference counting in Swift took most of the startup time.

#ifndef REGISTRY_SORT_H
#define REGISTRY_SORT_H

#include "registry_declarations.h"

REGISTRY_NONNULL_BEGIN_

typedef struct registry_sort_key {
  /// Keys with a lower level come first.
  int32_t level;
  int64_t priority;
  const unsigned char *REGISTRY_NULLABLE_ name;
  size_t name_size;
  uintptr_t address;
  /// The position before sorting.
  size_t position;
  /// The bytes that decide most comparisons, set by `registry_sort`.
  uint64_t distinctive;
} registry_sort_key;

/// Sorts keys by level, descending priority, and then by the name's bytes, the address, and the
/// position.
void registry_sort(registry_sort_key *keys, size_t count);

/// Compares the bytes of two names. The result is negative if the first name is less, positive if
/// it is greater, and zero if both are equal.
int registry_name_order(
    const void *REGISTRY_NULLABLE_ first, size_t first_size, const void *REGISTRY_NULLABLE_ second, size_t second_size);

/// Returns a hash of a name. Callers use a random seed, so that names cannot be crafted to have
/// equal hashes.
uint64_t registry_hash_name(const void *REGISTRY_NULLABLE_ name, size_t size, uint64_t seed);

/// Returns whether a name is already in the form used for comparing names. False for a name that is
/// empty, begins with an underscore, or contains an opening parenthesis or a backtick.
bool registry_is_plain_name(const void *name, size_t size);

/// Returns whether a name contains exactly one period.
bool registry_is_top_level(const void *REGISTRY_NULLABLE_ name, size_t size);

REGISTRY_NONNULL_END_

#endif
