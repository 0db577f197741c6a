// A loaded image, and the operations of the tests' dyld in the order in which they apply to an
// image.

#ifndef IMAGE_H
#define IMAGE_H

#include "dyld.h"

#include <pthread.h>

// Darwin's description of Mach-O files leaves out the headers of the kernel if they cannot be found,
// and their types are these. The folder of Darwin's headers is searched only for names in quotes, so
// that <…> finds the headers of Linux.
typedef int cpu_type_t, cpu_subtype_t, vm_prot_t;
enum { CPU_TYPE_X86_64 = 0x01000007 };
#include "mach-o/fixup-chains.h"
#include "mach-o/loader.h"

/// A range of bytes in the file.
typedef struct bytes {
  const uint8_t *start;
  size_t size;
} bytes;

/// An image that another one depends on.
typedef struct dependency {
  const char *name;
  /// A Boolean value that indicates whether this is the system's library, whose functions are in
  /// host.c.
  bool is_host;
  /// The loaded image, or null for the system's library.
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
  bytes chained_fixups, exports;
  /// The offset of a program's main function, or zero.
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

// MARK: read.c

/// Reads the file of an image, whose path is already set.
///
/// `image_free` frees everything that it allocates, even after a failure.
bool image_read(dyld_image *image);
void image_free(dyld_image *image);
/// Returns the section after the given one, the first section for null, or null after the last.
const struct section_64 *image_next_section(const dyld_image *image, const struct section_64 *after);

// MARK: map.c

/// Allocates writable memory for an image and copies its segments.
bool image_map(dyld_image *image);
/// Applies the segments' protections.
bool image_protect(const dyld_image *image);
void image_unmap(dyld_image *image);
/// Returns the memory of an address in the file, and of an offset in a segment.
void *image_memory(const dyld_image *image, uint64_t address);
void *image_segment_memory(const dyld_image *image, size_t segment, uint64_t offset);

// MARK: chained.c

/// Fixes up the pointers into the image and to symbols of other images.
bool image_fix_up_chains(const dyld_image *image);

// MARK: resolve.c

/// Returns an exported symbol by its name in the object file, with the underscore, or null.
void *image_export(const dyld_image *image, const char *symbol);
/// Finds the address of a symbol reference with two-level or flat lookup.
bool image_resolve(const dyld_image *image, int ordinal, const char *symbol, bool is_weak, void **address);

// MARK: threads.c

/// Sets up the thread-local variables, and frees the copies of all threads.
bool image_prepare_thread_variables(dyld_image *image);
void image_free_thread_variables(dyld_image *image);
/// The function that a thread-local variable's descriptor calls.
void dyld_thread_variable(void);

// MARK: initialise.c

/// Calls the initializers of an image, after those of its dependencies.
void image_initialise(dyld_image *image);
/// Calls the terminators of the images that are not needed.
void images_terminate(void);
int dyld_at_exit(void (*function)(void *), void *argument, void *owner);

// MARK: images.c

/// The list of images. The lock protects everything, and acquiring it counts as a call to dyld.
extern dyld_image *dyld_images;
void dyld_lock(void);
void dyld_unlock(void);
dyld_image *dyld_open_with(const char *path, bool only_if_loaded, bool pin);
/// Runs initializers, without the list's lock if this dyld behaves like that.
void dyld_without_list_lock(void (*run)(dyld_image *image), dyld_image *image);
typedef void dyld_callback(const struct mach_header *header, intptr_t slide);
void dyld_register_add(dyld_callback *callback);
void dyld_register_remove(dyld_callback *callback);

// MARK: host.c

/// Returns the replacement of a system function by its name in the object file.
void *host_symbol(const char *symbol);
/// Counts a call that an image must not make with a mutex held.
void host_note_call(void);

#endif
