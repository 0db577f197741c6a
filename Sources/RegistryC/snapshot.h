// What the finders of images (images_*.c) share: looking into an image without tripping a sanitizer, and
// laying a snapshot out in one block of memory. Internal to this target.

#ifndef REGISTRY_SNAPSHOT_H
#define REGISTRY_SNAPSHOT_H

#include "registry_images.h"

/// How much a snapshot needs. Counted in a first pass, so that memory is allocated outside of every lock:
/// an allocator may take locks of its own, and call into the loader.
typedef struct registry_needs {
  size_t images;
  size_t sections;
  size_t bytes;
  size_t characters;
} registry_needs;

/// A snapshot being filled, in a second pass.
typedef struct registry_block {
  registry_snapshot *snapshot;
  registry_image *images;
  registry_section *sections;
  unsigned char *bytes;
  char *characters;
  /// What is left of what was counted.
  registry_needs left;
} registry_block;

/// Counts an image with a path of `length` characters.
void registry_need_image(registry_needs *needs, size_t length);

/// Counts a range of an image.
void registry_need_section(registry_needs *needs, uintptr_t address, size_t size);

/// Allocates what was counted as one block. False when memory runs out.
bool registry_block_create(registry_block *block, registry_needs needs);

/// Adds an image without ranges, keeping images in the order of their serials. Null when more turns up than was
/// counted; so with ranges. Nothing is lost by that: the caller counts again.
registry_image *registry_block_add_image(registry_block *block, uint64_t serial, uintptr_t base,
                                         const char *path, size_t length);

/// Copies a range out of the image and adds it to the image last added.
bool registry_block_add_section(registry_block *block, registry_image *image, uintptr_t address, size_t size,
                                uint32_t alignment);

/// Whether a range of an image holds a record of any version, or something that bears our name.
bool registry_holds_records(uintptr_t address, size_t size);

/// A hash of a range of an image, to tell two loads at one address apart.
uint64_t registry_hash_range(uint64_t seed, uintptr_t address, size_t size);

/// The length of a text of the loader's, and a hash of it. It frees such texts under a lock that
/// ThreadSanitizer does not know.
size_t registry_text_length(const char *text);
uint64_t registry_hash_text(const char *text);

/// Where a number stands in an ascending list; `count` if it does not. Calls nothing, so it may be called under any lock.
size_t registry_place_of(uintptr_t number, const uintptr_t *numbers, size_t count);

#endif
