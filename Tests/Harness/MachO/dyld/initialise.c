// The code that images run when they are loaded and unloaded: initializers in both forms,
// terminators, and the functions registered with `__cxa_atexit`.

#include "image.h"

#include <mach-o/loader.h>
#include <stdlib.h>
#include <string.h>

typedef void initialiser(int argc, const char **argv, const char **environment, const char **apple, const void *vars);

static void call(void *address) {
  static const char *no_strings[] = {NULL};
  // dyld's contract guarantees that this data pointer is a function.
  ((initialiser *)address)(0, no_strings, no_strings, no_strings, NULL);
}

/// Calls the functions that a section points to, in order.
static void call_pointers(const dyld_image *image, const struct section_64 *section) {
  const uint8_t *pointers = image_memory(image, section->addr, section->size);
  for (uint64_t offset = 0; offset + 8 <= section->size; offset += 8) {
    void *address;
    memcpy(&address, pointers + offset, 8);
    call(address);
  }
}

/// Calls the functions of the newer form, which has 32-bit offsets from the header and no fixups.
static void call_offsets(const dyld_image *image, const struct section_64 *section) {
  const uint8_t *offsets = image_memory(image, section->addr, section->size);
  for (uint64_t at = 0; at + 4 <= section->size; at += 4) {
    uint32_t offset;
    memcpy(&offset, offsets + at, 4);
    call(image->header + offset);
  }
}

/// Returns true if every function that a section lists is code of the image.
static bool check_section(const dyld_image *image, const struct section_64 *section, size_t size) {
  const uint8_t *entries = image_memory(image, section->addr, section->size);
  for (uint64_t at = 0; at + size <= section->size; at += size) {
    uint64_t address = 0;
    memcpy(&address, entries + at, size);
    if (size == 4) address += (uint64_t)image->header;
    if (!image_has_code_at(image, (const void *)address)) {
      return dyld_fail("%s: section %.16s has an initialiser or terminator that is no code of the image.", image->path,
                       section->sectname);
    }
  }
  return true;
}

bool image_check_initialisers(const dyld_image *image) {
  const struct section_64 *section = NULL;
  while ((section = image_next_section(image, section))) {
    uint32_t type = section->flags & SECTION_TYPE;
    bool holds_pointers = type == S_MOD_INIT_FUNC_POINTERS || type == S_MOD_TERM_FUNC_POINTERS;
    if (holds_pointers && !check_section(image, section, 8)) return false;
    if (type == S_INIT_FUNC_OFFSETS && !check_section(image, section, 4)) return false;
  }
  return true;
}

static void run_initialisers(dyld_image *image) {
  const struct section_64 *section = NULL;
  while ((section = image_next_section(image, section))) {
    if ((section->flags & SECTION_TYPE) == S_MOD_INIT_FUNC_POINTERS) call_pointers(image, section);
    if ((section->flags & SECTION_TYPE) == S_INIT_FUNC_OFFSETS) call_offsets(image, section);
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
  /// The handle that identifies the image.
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

/// Removes and returns the first entry of a dying image.
static at_exit *take(bool (*is_dying)(const void *address)) {
  for (at_exit **place = &entries; *place; place = &(*place)->next) {
    at_exit *entry = *place;
    if (!is_dying(entry->owner)) continue;
    *place = entry->next;
    return entry;
  }
  return NULL;
}

void images_terminate(bool (*is_dying)(const void *address)) {
  for (at_exit *entry; (entry = take(is_dying));) {
    entry->function(entry->argument);
    free(entry);
  }
  for (const dyld_image *image = dyld_images; image; image = image->next) {
    const struct section_64 *section = NULL;
    while (is_dying(image->header) && (section = image_next_section(image, section))) {
      if ((section->flags & SECTION_TYPE) == S_MOD_TERM_FUNC_POINTERS) call_pointers(image, section);
    }
  }
}
