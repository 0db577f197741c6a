// A loaded image, and what the parts of the test dyld do with it. In the order in which an image goes through them.

#ifndef IMAGE_H
#define IMAGE_H

#include "dyld.h"

#include <mach-o/loader.h>
#include <pthread.h>

/// Bytes of the file.
typedef struct bytes {
  const uint8_t *start;
  size_t size;
} bytes;

/// An image that another one depends on.
typedef struct dependency {
  const char *name;
  /// May be missing: what is bound to it is null then.
  bool is_weak;
  /// What it exports is exported by the one that depends on it, too.
  bool is_reexported;
  /// The system's library, whose functions are in host.c.
  bool is_host;
  /// Null for the system's and for a weak one that is missing.
  dyld_image *image;
} dependency;

enum { MOST_SEGMENTS = 32 };

struct dyld_image {
  dyld_image *next;
  char *path;

  // The file as it was read; everything that points into it does so as long as the image is there.
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

  // Its memory. `slide` is what is added to the addresses in the file.
  uint8_t *memory;
  size_t memory_size;
  intptr_t slide;
  uint8_t *header;

  // Thread-local variables: what a thread's copy starts as, and where the copies are.
  const uint8_t *thread_template;
  size_t thread_size;
  pthread_key_t thread_key;
  struct thread_block *thread_blocks;

  unsigned open_count;
  /// Stays until the process ends.
  bool is_pinned;
  bool is_initialised;
  /// Its initialisers have returned. Read by threads that do not hold the lock under which it is
  /// written.
  bool is_finished;
  bool is_needed;
};

/// Says what is wrong, for `dyld_problem`. Returns false.
__attribute__((format(printf, 1, 2))) bool dyld_fail(const char *format, ...);

/// Reads and checks a file (read.c). `image->path` is set; what else it sets `image_free` frees, also after a failure.
bool image_read(dyld_image *image);
void image_free(dyld_image *image);

/// Gives an image its memory, writable, with the contents of its segments (map.c).
bool image_map(dyld_image *image);
/// Gives the segments the protections they ask for.
bool image_protect(dyld_image *image);
void image_unmap(dyld_image *image);
/// The memory at an address of the file, if a segment has `size` bytes there.
void *image_memory(const dyld_image *image, uint64_t address, size_t size);
/// The eight bytes of a fixup at an offset in a segment; null when that is not writable or has not so many.
void *image_fixup_memory(const dyld_image *image, size_t segment, uint64_t offset);
bool image_contains(const dyld_image *image, const void *address);
/// Whether an address is in a section of instructions that may be executed.
bool image_has_code_at(const dyld_image *image, const void *address);

/// Writes the pointers: to the image's own memory and to what others export (chained.c, opcodes.c).
bool image_fix_up_chains(dyld_image *image);
bool image_fix_up_opcodes(dyld_image *image);

/// Finds what an image exports by its name in the object file, with the underscore (exports.c). Null when it does not.
void *image_export(const dyld_image *image, const char *symbol);

/// The address that a reference to a symbol stands for, by two-level or flat look-up (resolve.c).
bool image_resolve(const dyld_image *image, int ordinal, const char *symbol, bool is_weak, void **address);
/// The image or host function that has it, all images searched; null when none has.
void *dyld_flat_symbol(const char *symbol);

/// Makes the thread-local variables usable; the other frees every thread's copy (threads.c).
bool image_prepare_thread_variables(dyld_image *image);
void image_free_thread_variables(dyld_image *image);
/// What the descriptor of a thread-local variable calls (thread_variable.S).
void dyld_thread_variable(void);

/// Whether the initialisers and terminators of an image are functions of it (initialise.c).
bool image_check_initialisers(const dyld_image *image);
/// Calls the initialisers of an image, those of its dependencies first.
void image_initialise(dyld_image *image);
/// Calls what dying images registered to be called at their end, last first.
void images_terminate(bool (*is_dying)(const void *address));
int dyld_at_exit(void (*function)(void *), void *argument, void *owner);

/// The section of the file that stands behind `after`, the first for null; null behind the last.
const struct section_64 *image_next_section(const dyld_image *image, const struct section_64 *after);

/// The list of images and the lock on everything (images.c).
extern dyld_image *dyld_images;
void dyld_lock(void);
void dyld_unlock(void);
dyld_image *dyld_open_with(const char *path, bool only_if_loaded, bool pin);
/// Runs initialisers: without the list's lock if that is how this dyld behaves (images.c).
void dyld_without_list_lock(void (*run)(dyld_image *image), dyld_image *image);
typedef void dyld_callback(const struct mach_header *header, intptr_t slide);
void dyld_register_add(dyld_callback *callback);
void dyld_register_remove(dyld_callback *callback);

/// The function that stands in for one of the system's libraries', by its name in the object file (host.c).
void *host_symbol(const char *symbol);
/// Called by what must not be called with a mutex of an image held; and by the mutexes of host_pthread.c.
void host_note_call(void);
void host_note_mutex(int held);

#endif
