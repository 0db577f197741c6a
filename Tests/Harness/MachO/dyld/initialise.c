// The code that images run when they are loaded and unloaded: initializers, and the functions
// registered with `__cxa_atexit`, as clang registers terminators.

#include "image.h"

#include <stdlib.h>
#include <string.h>

typedef void initialiser(int argc, const char **argv, const char **environment, const char **apple, const void *vars);

static void call(const void *address) {
  static const char *no_strings[] = {NULL};
  // dyld's contract guarantees that this data pointer is a function.
  ((initialiser *)address)(0, no_strings, no_strings, no_strings, NULL);
}

static void run_initialisers(dyld_image *image) {
  const struct section_64 *section = NULL;
  while ((section = image_next_section(image, section))) {
    if ((section->flags & SECTION_TYPE) != S_INIT_FUNC_OFFSETS) continue;
    // The entries are offsets from the header, which need no fixups.
    const uint8_t *entries = image_memory(image, section->addr);
    for (uint64_t at = 0; at + 4 <= section->size; at += 4) {
      uint32_t offset;
      memcpy(&offset, entries + at, 4);
      call(image->header + offset);
    }
  }
}

void image_initialise(dyld_image *image) {
  if (image->is_initialised) return;
  // Set the flag before the dependencies run, because they can depend on this image.
  image->is_initialised = true;
  for (size_t index = 0; index < image->dependency_count; ++index) {
    if (image->dependencies[index].image) image_initialise(image->dependencies[index].image);
  }
  dyld_without_list_lock(run_initialisers, image);
  __atomic_store_n(&image->is_finished, true, __ATOMIC_RELEASE);
}

typedef struct at_exit {
  struct at_exit *next;
  void (*function)(void *);
  void *argument;
  /// An address in the image.
  void *owner;
} at_exit;

/// The registered functions, the last one first.
static at_exit *entries;

int dyld_at_exit(void (*function)(void *), void *argument, void *owner) {
  at_exit *entry = malloc(sizeof *entry);
  if (!entry) return -1;
  dyld_lock();
  *entry = (at_exit){entries, function, argument, owner};
  entries = entry;
  dyld_unlock();
  return 0;
}

/// Removes and returns the last function that an image which is not needed registered, or null.
static at_exit *take(void) {
  for (at_exit **place = &entries; *place; place = &(*place)->next) {
    at_exit *entry = *place;
    const dyld_image *image = dyld_image_at(entry->owner);
    if (!image || image->is_needed) continue;
    *place = entry->next;
    return entry;
  }
  return NULL;
}

void images_terminate(void) {
  for (at_exit *entry; (entry = take());) {
    entry->function(entry->argument);
    free(entry);
  }
}
