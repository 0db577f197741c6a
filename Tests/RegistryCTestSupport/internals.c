// These functions let tests in Swift use functions that the library's C files share, and functions
// that are only in their headers.

#include "../../Sources/RegistryC/snapshot.h"
#include "registry_c_test_support.h"

#include <stddef.h>

registry_snapshot *registry_test_snapshot(const uint64_t *serials, size_t count, const void *bytes, size_t size) {
  static const char path[] = "/image";
  registry_block block = {0};
  bool fits = true;
  for (int pass = 0; pass < 2; ++pass) {
    if (pass == 1 && !registry_block_allocate(&block)) return NULL;
    for (size_t index = 0; index < count; ++index) {
      fits = fits && registry_block_add_image(&block, serials[index], index, path, sizeof path - 1);
      if (index == 0) fits = fits && registry_block_add_section(&block, (uintptr_t)bytes, size, 4);
    }
  }
  // Adding one more image or section exceeds the counts, so it must fail.
  bool overflows = registry_block_add_image(&block, 1, 0, path, sizeof path - 1) ||
                   registry_block_add_section(&block, (uintptr_t)bytes, size, 4);
  if (fits && !overflows) return block.snapshot;
  registry_snapshot_free(block.snapshot);
  return NULL;
}

bool registry_test_block_is_bounded(void) {
  static const char path[] = "/image";
  const registry_needs few_images = {.images = 1, .characters = 2 * sizeof path};
  const registry_needs few_characters = {.images = 2, .characters = 2 * sizeof path - 1};
  const registry_needs needs[] = {few_images, few_characters};
  bool is_bounded = true;
  for (size_t index = 0; index < 2; ++index) {
    registry_block block = {.left = needs[index]};
    if (!registry_block_allocate(&block)) return false;
    is_bounded = is_bounded && registry_block_add_image(&block, 1, 0, path, sizeof path - 1) &&
                 !registry_block_add_image(&block, 2, 0, path, sizeof path - 1);
    registry_snapshot_free(block.snapshot);
  }
  return is_bounded;
}

bool registry_test_holds_records(const void *bytes, size_t size) {
  return registry_holds_records((uintptr_t)bytes, size);
}

uint64_t registry_test_hash(const void *bytes, size_t size) { return registry_hash_range(0, (uintptr_t)bytes, size); }

const void *registry_test_find(const registry_cell *cell, const void *key) { return registry_find(cell, key); }

registry_cell *registry_test_shared(void) { return registry_shared(); }

bool registry_test_is_opening(void) { return registry_is_opening(); }
