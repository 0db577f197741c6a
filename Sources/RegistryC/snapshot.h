// Functions for the image readers (images_*.c and elf): reading an image without sanitizer reports,
// and laying out a snapshot in one block of memory. Internal to this target.

#ifndef REGISTRY_SNAPSHOT_H
#define REGISTRY_SNAPSHOT_H

#include "registry_images.h"

/// The size of a snapshot.
typedef struct registry_needs {
  size_t images;
  size_t sections;
  size_t bytes;
  size_t characters;
} registry_needs;

/// A snapshot that two passes create. The first pass counts what the second one copies, so that
/// memory is allocated while no lock is held: an allocator may acquire its own locks and call the
/// loader. Both passes make the same calls, first with an empty block.
typedef struct registry_block {
  /// Null in the pass that counts.
  registry_snapshot *snapshot;
  registry_image *images;
  /// The last added image.
  registry_image *image;
  registry_section *sections;
  unsigned char *bytes;
  char *characters;
  /// The counted size or, in the second pass, the part of it that is still unused.
  registry_needs left;
} registry_block;

/// Allocates the memory for what was counted. Returns false if memory runs out.
bool registry_block_allocate(registry_block *block);

/// Adds an image without ranges, with the first bytes of a path, and keeps the images sorted by
/// serial. Returns false if there are more images or longer paths than counted; then the caller
/// counts again.
bool registry_block_add_image(registry_block *block, uint64_t serial, uintptr_t base, const char *path, size_t length);

/// Copies a range to the last added image. Returns false if the range was not counted.
bool registry_block_add_section(registry_block *block, uintptr_t address, size_t size, uint32_t alignment);

/// Returns whether a range contains records of any version, or bytes that resemble records.
bool registry_holds_records(uintptr_t address, size_t size);

/// Returns a hash of an image's range, to distinguish two loads at the same address.
uint64_t registry_hash_range(uint64_t seed, uintptr_t address, size_t size);

/// These functions measure, hash, or copy a string that the loader owns, and terminate the copy.
/// The loader frees strings under a lock that ThreadSanitizer does not know.
size_t registry_text_length(const char *text);
uint64_t registry_hash_text(const char *text);
void registry_copy_text(char *to, const char *text, size_t length);

/// On Apple systems, finds the conformance section of the first image with records after `last`, in
/// load order. Returns the image for the next call, or null after the last image. An image with
/// conformances is never unmapped, so it stays in the list. To find the first image, pass null.
const void *registry_next_conformances(const void *last, registry_segment *found);

/// On ELF systems, returns whether the image at an address had records in the last scan.
bool registry_had_records(uintptr_t address);

/// Returns the index of a number in a list, or `count`. Calls no function, so any lock can be held.
size_t registry_index_of(uintptr_t number, const uintptr_t *numbers, size_t count);

/// Returns whether the calling thread is opening an image and so may wait for constructors.
bool registry_is_opening(void);

#endif
