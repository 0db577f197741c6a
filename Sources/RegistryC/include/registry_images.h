// The images loaded into this process and the records in them: one interface for every object format.

#ifndef REGISTRY_IMAGES_H
#define REGISTRY_IMAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A range of an image that holds records, copied out of it. No byte of an image is in two of them, although some
/// linkers list notes twice.
typedef struct registry_section {
  /// The copy, eight-byte aligned; as long as the snapshot. Begins and ends on a multiple of eight in the image,
  /// with zeros for what is there but not in the range.
  const void *bytes;
  size_t size;
  /// Where `bytes` stands in the image. A record is identified by its address, this plus its offset in the
  /// walk. Not to be read: the image may be gone.
  uintptr_t address;
  /// What `registry_walk` wants: zero, or the alignment of a note segment.
  uint32_t alignment;
} registry_section;

/// An image that holds records.
typedef struct registry_image {
  /// Unique to this load of the image, ascending in load order, never zero. An image that is closed and opened again
  /// between two snapshots has a new one on Mach-O. On ELF it has when that can be told: when address, path or
  /// records differ. Where they do not, the old serial still stands for the same records.
  uint64_t serial;
  /// Where the image is loaded: its header (Mach-O) or load address (ELF).
  uintptr_t base;
  /// Its file, UTF-8 as a rule (the program's: its executable); empty when unknown. As long as the snapshot.
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
  /// A flag that the loader has yet to announce images that are already loaded. On Mach-O this is
  /// the case while another thread registers the image callbacks.
  bool is_partial;
} registry_snapshot;

/// A number that changes whenever an image came or went (on Mach-O: one with records). Tens of nanoseconds on ELF, one
/// load on Mach-O. Never zero.
uint64_t registry_images_generation(void);

/// The images with records, or with what looks like some, that are loaded now. Copies the records of images whose
/// serial is above `after` and lists the others by serial, base and path only, all in one block of memory.
/// Safe against images being closed meanwhile: what is copied was mapped while it was copied. Runs no code
/// of the images. Null when memory runs out.
///
/// On ELF, when there is an image not seen before, waits for any `dlopen` that is under way on another thread: only
/// then are its accessors relocated. So call it (as `dlopen` itself, and `registry_image_pin`) with no lock held that
/// a constructor of an image may want.
registry_snapshot *registry_images_snapshot(uint64_t after);

/// Frees a snapshot and all it points to.
void registry_snapshot_free(registry_snapshot *snapshot);

/// The result of pinning an image.
typedef enum registry_pin_result {
  /// The image stays mapped until the process ends.
  REGISTRY_PIN_KEPT,
  /// No loaded image contains the address.
  REGISTRY_PIN_NO_IMAGE,
  /// The loader refuses for now. dyld does so while another thread runs the image's initializers.
  /// The caller must not use pointers into the image, and can try again later.
  REGISTRY_PIN_REFUSED
} registry_pin_result;

/// A part of an image. Empty: none.
typedef struct registry_segment {
  uintptr_t start;
  uintptr_t end;
} registry_segment;

/// Keeps the image that contains `address` mapped until the process ends.
///
/// The Swift runtime keeps pointers into every image whose types it has seen; unmapping one makes a
/// later dynamic cast crash. For the program itself, and on loaders that never unmap images, there
/// is nothing to do. Must not be called from an image callback.
///
/// \param segment Receives the segment that contains `address`, or an empty one. All other
/// addresses in that segment stay mapped as well, so the caller need not ask again for them. A call
/// takes half a microsecond, and the accessors of an image are all in one segment.
registry_pin_result registry_image_pin_segment(const void *address, registry_segment *segment);

/// Calls `registry_image_pin_segment` and returns whether the image stays mapped.
bool registry_image_pin(const void *address);

#ifdef __cplusplus
}
#endif

#endif
