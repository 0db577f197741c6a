// A loaded image, and the operations of the test dyld in the order in which they apply to an image.

#ifndef IMAGE_H
#define IMAGE_H

#include "dyld.h"

#include <mach-o/loader.h>
#include <pthread.h>

/// A range of bytes in the file.
typedef struct bytes {
  const uint8_t *start;
  size_t size;
} bytes;

/// An image that another one depends on.
typedef struct dependency {
  const char *name;
  /// A Boolean value that indicates whether the image can be missing.
  ///
  /// Symbols that are bound to a missing image are null.
  bool is_weak;
  /// A Boolean value that indicates whether the dependent image re-exports the symbols of this one.
  bool is_reexported;
  /// A Boolean value that indicates whether this is the system's library.
  ///
  /// host.c has its functions.
  bool is_host;
  /// The loaded image, or null for the system's library and for a missing weak dependency.
  dyld_image *image;
} dependency;

enum { MOST_SEGMENTS = 32 };

struct dyld_image {
  dyld_image *next;
  char *path;

  // The file's contents. Pointers into them are valid as long as the image exists.
  uint8_t *file;
  size_t file_size;
  const struct mach_header_64 *file_header;
  const struct segment_command_64 *segments[MOST_SEGMENTS];
  size_t segment_count;
  const char *install_name;
  dependency *dependencies;
  size_t dependency_count;
  bytes chained_fixups, exports, rebases, binds, lazy_binds;
  bool has_entry;
  uint64_t entry;

  // The image's memory. `slide` is the difference between addresses in memory and in the file.
  uint8_t *memory;
  size_t memory_size;
  intptr_t slide;
  uint8_t *header;

  // Thread-local variables: their initial values, and the copies of all threads.
  const uint8_t *thread_template;
  size_t thread_size;
  pthread_key_t thread_key;
  struct thread_block *thread_blocks;

  unsigned open_count;
  /// A Boolean value that indicates whether the image stays loaded until the process ends.
  bool is_pinned;
  bool is_initialised;
  /// A Boolean value that indicates whether the image's initializers have returned.
  ///
  /// Threads that do not hold the lock under which it is written also read it.
  bool is_finished;
  bool is_needed;
};

/// Records a problem of this thread and returns false.
__attribute__((format(printf, 1, 2))) bool dyld_fail(const char *format, ...);

/// Reads and checks the file of an image, whose path is already set.
///
/// read.c defines this function. `image_free` frees everything that it allocates, also after a
/// failure.
bool image_read(dyld_image *image);
void image_free(dyld_image *image);

/// Allocates writable memory for an image and copies its segments.
///
/// map.c defines the functions of this group.
bool image_map(dyld_image *image);
/// Applies the segments' protections.
bool image_protect(dyld_image *image);
void image_unmap(dyld_image *image);
/// Returns the memory at an address of the file if a segment has enough bytes there.
void *image_memory(const dyld_image *image, uint64_t address, size_t size);
/// Returns the eight bytes of a fixup at an offset in a segment.
///
/// Returns null if the segment is not writable or is too short.
void *image_fixup_memory(const dyld_image *image, size_t segment, uint64_t offset);
bool image_contains(const dyld_image *image, const void *address);
/// Returns true if an address is in an executable section of instructions.
bool image_has_code_at(const dyld_image *image, const void *address);

/// Fixes up the pointers into the image and to symbols of other images.
///
/// chained.c and opcodes.c define these functions.
bool image_fix_up_chains(dyld_image *image);
bool image_fix_up_opcodes(dyld_image *image);

/// Returns an exported symbol by its name in the object file, with the underscore.
///
/// Returns null if the image does not export the symbol. exports.c defines this function.
void *image_export(const dyld_image *image, const char *symbol);

/// Finds the address of a symbol reference with two-level or flat lookup.
///
/// resolve.c defines the functions of this group.
bool image_resolve(const dyld_image *image, int ordinal, const char *symbol, bool is_weak, void **address);
/// Searches all images and the host functions for a symbol, and returns null if there is none.
void *dyld_flat_symbol(const char *symbol);

/// Sets up the thread-local variables.
///
/// `image_free_thread_variables` frees the copies of all threads. threads.c defines both functions.
bool image_prepare_thread_variables(dyld_image *image);
void image_free_thread_variables(dyld_image *image);
/// The function that a thread-local variable's descriptor calls.
///
/// thread_variable.S defines it.
void dyld_thread_variable(void);

/// Returns true if the initializers and terminators are functions of the image.
///
/// initialise.c defines the functions of this group.
bool image_check_initialisers(const dyld_image *image);
/// Calls the initializers of an image, after those of its dependencies.
void image_initialise(dyld_image *image);
/// Calls the functions that dying images registered for their termination, the last one first.
void images_terminate(bool (*is_dying)(const void *address));
int dyld_at_exit(void (*function)(void *), void *argument, void *owner);

/// Returns the section after the given one, the first section for null, or null after the last.
const struct section_64 *image_next_section(const dyld_image *image, const struct section_64 *after);

/// The list of images, and the lock that protects everything.
///
/// images.c defines this group.
extern dyld_image *dyld_images;
void dyld_lock(void);
void dyld_unlock(void);
dyld_image *dyld_open_with(const char *path, bool only_if_loaded, bool pin);
/// Runs initializers, without the list's lock if this dyld behaves like that.
void dyld_without_list_lock(void (*run)(dyld_image *image), dyld_image *image);
typedef void dyld_callback(const struct mach_header *header, intptr_t slide);
void dyld_register_add(dyld_callback *callback);
void dyld_register_remove(dyld_callback *callback);

/// Returns the replacement of a system function by its name in the object file.
///
/// host.c defines the functions of this group.
void *host_symbol(const char *symbol);
/// Counts a call that an image must not make with a mutex held.
///
/// The mutexes of host_pthread.c report their state to `host_note_mutex`.
void host_note_call(void);
void host_note_mutex(int held);

#endif
