// The images loaded into this process and their records: one interface for every object format.

#ifndef REGISTRY_IMAGES_H
#define REGISTRY_IMAGES_H

#include "registry_declarations.h"

REGISTRY_BEGIN_

/// A range of bytes that contains records, copied from an image. Ranges do not overlap, although
/// some linkers list notes twice.
typedef struct registry_section {
  /// The copy, aligned to eight bytes and owned by the snapshot. It begins and ends at multiples of
  /// eight in the image, with zeros for bytes outside the range.
  const void *bytes;
  size_t size;
  /// The address of the original bytes in the image. A record's identity is this address plus the
  /// record's offset in the walk. Do not read memory there, because the image may be unloaded.
  uintptr_t address;
  /// The alignment for `registry_walk`: zero, or a note segment's alignment.
  uint32_t alignment;
} registry_section;

/// An image that contains records.
typedef struct registry_image {
  /// The serial of this load of the image, ascending in load order, never zero. An image that is
  /// closed and reopened between two snapshots gets a new serial: always on Mach-O, and elsewhere
  /// if its address, path, or records differ. Otherwise, it keeps the old serial.
  uint64_t serial;
  /// The image's load address, or the address of its header (Mach-O) or records (WebAssembly).
  uintptr_t base;
  /// The path of its file (for the main program, the executable), usually in UTF-8. Empty if the
  /// path is unknown or `serial` is at most `after`. The snapshot owns the string.
  const char *path;
  /// The ranges; none if `serial` is at most `after`.
  const registry_section *sections;
  size_t section_count;
} registry_image;

/// A list of the loaded images that contain records, in load order.
typedef struct registry_snapshot {
  uint64_t generation;
  const registry_image *images;
  size_t image_count;
  /// True if dyld has yet to announce images that are already loaded, because the image callbacks
  /// are being registered. False on systems without dyld.
  bool is_partial;
} registry_snapshot;

/// Returns a number that changes whenever an image is loaded or unloaded (on Mach-O, an image with
/// records). It is never zero. A call usually takes tens of nanoseconds on ELF, and less elsewhere.
uint64_t registry_images_generation(void);

/// Returns the loaded images with records, or with bytes that resemble records. Copies the records
/// of images whose serial is above `after`, and lists only the serial and the base of the other
/// images. The snapshot is a single block of memory. Images can be closed during the call, because
/// their memory stays mapped while it's copied. Runs no code in the images, except `DllMain` if the
/// call releases a module's last reference. Null if memory runs out or Windows can't list modules.
///
/// With glibc 2.35 and later, the snapshot leaves out images that the loader has not relocated, and
/// then has a generation that `registry_images_generation` never returns. With other ELF loaders, a
/// call that finds a new image waits for all `dlopen` calls on other threads. On Windows, a call
/// can wait for `DllMain`. Do not hold a lock that an image's constructor or `DllMain` may acquire.
registry_snapshot *registry_images_snapshot(uint64_t after);

void registry_snapshot_free(registry_snapshot *snapshot);

/// The result of pinning an image.
typedef enum registry_pin_result {
  /// The image stays mapped until the process ends.
  REGISTRY_PIN_KEPT,
  /// No loaded image contains the address.
  REGISTRY_PIN_NO_IMAGE,
  /// The image cannot be pinned yet, usually because another thread is running an image's
  /// initializers. Do not use pointers into the image; try again later.
  REGISTRY_PIN_REFUSED
} registry_pin_result;

/// A range of addresses in an image; it can be empty.
typedef struct registry_segment {
  uintptr_t start;
  uintptr_t end;
} registry_segment;

/// Keeps the image that contains `address` mapped until the process ends.
///
/// The Swift runtime keeps pointers into every image whose types it has seen, so a later dynamic
/// cast can crash if the image is unmapped. The call has no effect for the main program, or with
/// loaders that never unmap images. Do not call it from an image callback.
///
/// \param segment Receives a range whose addresses need no further call: the segment that contains
/// `address` (ELF), `__TEXT` (Mach-O), the image (Windows), or an empty range. An image's accessors
/// are in one segment, so callers can skip most calls, but not on arm64e. A call takes 0.5 µs.
///
/// With glibc, only a thread that is opening an image (`registry_open_begin`) waits for
/// constructors. For other threads, a helper thread pins the image, unless the process has a single
/// thread. With a helper, an image's first call takes 0.2 ms, or 10 ms if the helper is blocked.
registry_pin_result registry_image_pin_segment(const void *address, registry_segment *segment);

/// Calls `registry_image_pin_segment` between `registry_open_begin` and `registry_open_end`.
/// Returns whether the image stays mapped.
bool registry_image_pin(const void *address);

/// Marks the code between the two calls as opening an image, so it can wait for constructors on
/// other threads to finish. Calls can be nested.
void registry_open_begin(void);
void registry_open_end(void);

/// Opens an image with all symbols bound and private (`RTLD_NOW | RTLD_LOCAL`), and runs its
/// initializers. If the image is already open, adds a reference and returns the same handle.
/// On failure, returns null and copies a message, usually the loader's, to `problem`,
/// NUL-terminated and truncated to `size`. Do not call it from an image callback.
void *registry_open(const char *path, char *problem, size_t size);

/// Releases one reference to an image. The loader may unmap the image if nothing else needs it.
/// Returns false on failure.
bool registry_close(void *handle);

/// Returns the address of the image behind a handle, as in `registry_image.base`, or zero if it
/// cannot be determined.
uintptr_t registry_open_base(void *handle);

/// Sets `is_needed` for the image and for each library that it needs, directly or indirectly, and
/// leaves the other elements unchanged. Identify the image and the libraries by their addresses.
/// The image must stay loaded during the call, but the libraries need not. On Mach-O, libraries in
/// the shared cache are not found.
void registry_open_needs(uintptr_t image, const uintptr_t *libraries, size_t count, bool *is_needed);

/// Calls `registry_image_pin` for every loaded image that contains Swift metadata, with or without
/// records. Call it after opening an image and before closing any image.
void registry_pin_swift(void);

/// Returns the number of calls to `registry_withdraw`. Takes one memory access.
uint64_t registry_withdrawals(void);

/// Announces that records were withdrawn or restored without an image being loaded or unloaded, or
/// that the initializers of an image have run.
void registry_withdraw(void);

REGISTRY_END_

#endif
