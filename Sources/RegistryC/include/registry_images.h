// The images loaded into this process and their records: one interface for every object format.

#ifndef REGISTRY_IMAGES_H
#define REGISTRY_IMAGES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A copied range of an image that contains records. Ranges do not overlap, although some linkers
/// list notes twice.
typedef struct registry_section {
  /// The copy, aligned to eight bytes and owned by the snapshot. It begins and ends at a multiple
  /// of eight in the image, with zeros for bytes outside the range.
  const void *bytes;
  size_t size;
  /// The address of `bytes` in the image. A record's identity is this address plus the record's
  /// offset in the walk. Do not read memory there, because the image may be unloaded.
  uintptr_t address;
  /// The alignment for `registry_walk`: zero, or a note segment's alignment.
  uint32_t alignment;
} registry_section;

/// An image that contains records.
typedef struct registry_image {
  /// The serial of this load of the image, ascending in load order, never zero. An image that is
  /// closed and reopened between two snapshots gets a new serial: always on Mach-O, and elsewhere
  /// if its address, path, or records differ. Otherwise the old serial identifies the same records.
  uint64_t serial;
  /// The address of its header (Mach-O) or its load address (ELF, Windows).
  uintptr_t base;
  /// The path of its file, or of the executable for the program, usually UTF-8; empty if unknown or
  /// if the image was known before. The snapshot owns it.
  const char *path;
  /// The ranges; none if the image was known before (`serial` at most `after`).
  const registry_section *sections;
  size_t section_count;
} registry_image;

/// The images with records that are loaded at one moment, in load order.
typedef struct registry_snapshot {
  uint64_t generation;
  const registry_image *images;
  size_t image_count;
  /// True if dyld has yet to announce images that are already loaded, because the image callbacks
  /// are being registered. False on systems without dyld.
  bool is_partial;
} registry_snapshot;

/// Returns a number that changes whenever an image is loaded or unloaded (on Mach-O, an image with
/// records). It is never zero. A call takes tens of nanoseconds on ELF and one load on Mach-O.
uint64_t registry_images_generation(void);

/// Returns the loaded images with records, or with bytes that resemble records. Copies the records
/// of images whose serial is above `after`, and lists only the serial and the base of all other
/// images. The snapshot is a single block of memory. Images can be closed during the call, because
/// memory stays mapped while it is copied. Runs no code in the images, except `DllMain` if the call
/// releases a module's last reference. Null if memory runs out, or Windows cannot list modules.
///
/// With glibc 2.35 and later, the snapshot leaves out images that the loader has not relocated. If
/// it leaves any out, its generation equals no later one. With other loaders on ELF, if there is a
/// new image, the call waits for every `dlopen` on another thread. As with `dlopen` and
/// `registry_image_pin`, do not hold a lock that the constructor of an image may acquire.
registry_snapshot *registry_images_snapshot(uint64_t after);

void registry_snapshot_free(registry_snapshot *snapshot);

/// The result of pinning an image.
typedef enum registry_pin_result {
  /// The image stays mapped until the process ends.
  REGISTRY_PIN_KEPT,
  /// No loaded image contains the address.
  REGISTRY_PIN_NO_IMAGE,
  /// The image cannot be pinned for now, usually because another thread runs an image's
  /// initializers. Do not use pointers into the image; try again later.
  REGISTRY_PIN_REFUSED
} registry_pin_result;

/// A part of an image, or an empty range.
typedef struct registry_segment {
  uintptr_t start;
  uintptr_t end;
} registry_segment;

/// Keeps the image that contains `address` mapped until the process ends.
///
/// The Swift runtime keeps pointers into every image whose types it has seen, so unmapping one can
/// make a later dynamic cast crash. The call has no effect for the program itself, or with loaders
/// that never unmap images. Do not call it from an image callback.
///
/// \param segment Receives an address range that stays mapped and needs no call of its own: the
/// segment that contains `address` (ELF), `__TEXT` (Mach-O), the image (Windows), or an empty
/// range. A call takes half a microsecond, and the accessors of an image are all in one segment.
///
/// With glibc, a thread that does not open images itself (`registry_open_begin`) does not wait for
/// constructors: another thread pins the image. The first call for an image then takes 0.2
/// milliseconds, or 10 milliseconds if the loader refuses.
registry_pin_result registry_image_pin_segment(const void *address, registry_segment *segment);

/// Calls `registry_image_pin_segment` between `registry_open_begin` and `registry_open_end`.
/// Returns whether the image stays mapped.
bool registry_image_pin(const void *address);

/// Marks the code between the two calls as opening an image, so it can wait for constructors on
/// other threads to finish. Calls can be nested.
void registry_open_begin(void);
void registry_open_end(void);

/// Opens an image with all symbols bound and private (`RTLD_NOW | RTLD_LOCAL`), and runs its
/// initializers. If the image is already open, this opens it once more and returns the same handle.
/// On failure, returns null and copies a message, usually the loader's, to `problem`,
/// NUL-terminated and truncated to `size`. Do not call it from an image callback.
void *registry_open(const char *path, char *problem, size_t size);

/// Closes an image once. The loader unmaps an image that nothing else needs. Returns false if the
/// loader refuses.
bool registry_close(void *handle);

/// Returns the address of the image behind a handle, as in `registry_image.base`, or zero if it
/// cannot be determined.
uintptr_t registry_open_base(void *handle);

/// Sets `is_needed` for each library that an image names as a dependency, and leaves the other
/// elements unchanged. Images are identified by their addresses.
/// The image must stay loaded during the call, but the libraries need not. On Mach-O, libraries
/// must have records. One pass over the images suffices for any number of libraries.
void registry_open_needs(uintptr_t image, const uintptr_t *libraries, size_t count, bool *is_needed);

/// Pins every loaded image that contains Swift code, with or without records, like
/// `registry_image_pin`. Call it after opening an image and before closing any.
void registry_pin_swift(void);

/// Returns the number of calls to `registry_withdraw`. Takes one load.
uint64_t registry_withdrawals(void);

/// Announces that records were withdrawn or restored, although no image was loaded or unloaded.
void registry_withdraw(void);

#ifdef __cplusplus
}
#endif

#endif
