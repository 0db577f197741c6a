// What the library's C files share among themselves, and what only their headers hold, for tests in Swift.

#include "../../Sources/RegistryC/snapshot.h"
#include "registry_c_test_support.h"

#include <stddef.h>

registry_snapshot *registry_test_snapshot(const uint64_t *serials, size_t count, const void *bytes, size_t size) {
  static const char path[] = "/image";
  registry_needs needs = {0};
  for (size_t index = 0; index < count; ++index) registry_need_image(&needs, sizeof path - 1);
  registry_need_section(&needs, (uintptr_t)bytes, size);
  registry_block block;
  if (!registry_block_create(&block, needs)) return NULL;
  bool fits = true;
  for (size_t index = 0; index < count; ++index) {
    registry_image *image = registry_block_add_image(&block, serials[index], index, path, sizeof path - 1);
    fits = fits && image;
    if (image && index == 0) fits = registry_block_add_section(&block, image, (uintptr_t)bytes, size, 4);
  }
  // One more of each is more than was counted.
  bool overflows = registry_block_add_image(&block, 1, 0, path, sizeof path - 1) ||
                   registry_block_add_section(&block, block.images, (uintptr_t)bytes, size, 4);
  if (fits && !overflows) return block.snapshot;
  registry_snapshot_free(block.snapshot);
  return NULL;
}

uint64_t registry_test_hash(const void *bytes, size_t size) { return registry_hash_range(0, (uintptr_t)bytes, size); }

const void *registry_test_find(const registry_cell *cell, const void *key) { return registry_find(cell, key); }

registry_cell *registry_test_shared(void) { return registry_shared(); }
