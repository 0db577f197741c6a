// The images loaded into this process and the records in them: one interface for every object format.

#ifndef REGISTRY_IMAGES_H
#define REGISTRY_IMAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A range of an image that holds records, copied out of it.
typedef struct registry_section {
  /// The copy, eight-byte aligned; as long as the snapshot.
  const void *bytes;
  size_t size;
  /// Where the range stands in the image; an identity, not to be read: the image may be gone.
  uintptr_t address;
  /// What `registry_walk` wants: zero, or the alignment of a note segment.
  uint32_t alignment;
} registry_section;

/// An image that holds records.
typedef struct registry_image {
  /// Unique to this load of the image, ascending in load order, never zero.
  uint64_t serial;
  /// Where the image is loaded: its header (Mach-O) or load address (ELF).
  uintptr_t base;
  /// Its file, UTF-8 as a rule; as long as the snapshot.
  const char *path;
  /// Its ranges; none when the image was already known (`serial` at most `after`).
  const registry_section *sections;
  size_t section_count;
} registry_image;

/// The images with records that are loaded at one moment, in load order.
typedef struct registry_snapshot {
  /// What `registry_images_generation` was.
  uint64_t generation;
  const registry_image *images;
  size_t image_count;
} registry_snapshot;

/// A number that changes whenever an image came or went. Tens of nanoseconds on ELF, one load on Mach-O.
/// Never zero.
uint64_t registry_images_generation(void);

/// The images with records that are loaded now. Copies the records of images whose serial is above
/// `after`, one block of memory an image, and lists the others by serial, base and path only. Safe
/// against images being closed meanwhile: what is copied was mapped while it was copied. Runs no code of
/// the images. Null when memory runs out.
registry_snapshot *registry_images_snapshot(uint64_t after);

/// Frees a snapshot and all it points to.
void registry_snapshot_free(registry_snapshot *snapshot);

/// Keeps the image that contains `address` mapped until the process ends. The Swift runtime keeps
/// pointers into every image whose types it has seen; unmapping one makes a later dynamic cast crash.
/// False when no loaded image contains the address. Must not be called from an image callback.
bool registry_image_pin(const void *address);

#ifdef __cplusplus
}
#endif

#endif
