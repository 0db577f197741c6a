// Loaded images and their records on Mach-O systems: dyld's callbacks and `getsectiondata`.
//
// The callbacks run before `main`, under dyld's lock, for every image. They do bookkeeping only: three look-ups of a
// section, and for an image that has one an entry in a list. No record is read, no Swift runs, and for an image
// without records nothing is allocated.
//
// Locks: dyld's first, ours inside it, never the other way round. So nothing that calls dyld happens under ours. A
// reader copies under ours, which makes the callback that announces an unmapping wait until it is done.

#if defined(__APPLE__)

#include "snapshot.h"

#include <dlfcn.h>
#include <mach-o/dyld.h>
#include <mach-o/getsect.h>
#include <mach-o/loader.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#if defined(__LP64__)
typedef struct mach_header_64 image_header;
#else
typedef struct mach_header image_header;
#endif

#ifndef MH_DYLIB_IN_CACHE
#define MH_DYLIB_IN_CACHE 0x80000000u
#endif

/// The sections that records are in; RecordFormat.md lists them.
static const char *const section_names[] = {"__reg_modules", "__reg_services", "__reg_exports"};
enum { SECTIONS = sizeof section_names / sizeof section_names[0] };

/// An image with records.
typedef struct known_image {
  struct known_image *next;
  const struct mach_header *header;
  uint64_t serial;
  struct {
    uintptr_t address;
    size_t size;
  } sections[SECTIONS];
  size_t path_length;
  char path[];
} known_image;

static struct {
  pthread_mutex_t lock;
  known_image *first;
  known_image **last;
  uint64_t last_serial;
  /// Changes with the list. Written under the lock, read without.
  uint64_t generation;
} table = {.lock = PTHREAD_MUTEX_INITIALIZER, .last = &table.first, .generation = 1};

static void image_added(const struct mach_header *header, intptr_t slide) {
  (void)slide;
  // System libraries have no records of ours, and there are hundreds of them.
  if (header->flags & MH_DYLIB_IN_CACHE) return;
  known_image found = {.header = header};
  bool any = false;
  for (size_t index = 0; index < SECTIONS; ++index) {
    unsigned long size = 0;
    const uint8_t *bytes = getsectiondata((const image_header *)header, "__DATA", section_names[index], &size);
    if (!bytes || size == 0) continue;
    found.sections[index].address = (uintptr_t)bytes;
    found.sections[index].size = size;
    any = true;
  }
  if (!any) return;

  Dl_info info;
  const char *path = dladdr(header, &info) != 0 && info.dli_fname ? info.dli_fname : "";
  found.path_length = strlen(path);
  known_image *image = malloc(sizeof found + found.path_length + 1);
  if (!image) abort();  // Memory for one path, at launch: an image that is lost in silence would be worse.
  *image = found;
  memcpy(image->path, path, found.path_length + 1);

  pthread_mutex_lock(&table.lock);
  image->serial = ++table.last_serial;
  *table.last = image;
  table.last = &image->next;
  __atomic_store_n(&table.generation, table.generation + 1, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&table.lock);
}

static void image_removed(const struct mach_header *header, intptr_t slide) {
  (void)slide;
  known_image *removed = NULL;
  pthread_mutex_lock(&table.lock);
  for (known_image **place = &table.first; *place; place = &(*place)->next) {
    if ((*place)->header != header) continue;
    removed = *place;
    *place = removed->next;
    if (table.last == &removed->next) table.last = place;
    __atomic_store_n(&table.generation, table.generation + 1, __ATOMIC_RELEASE);
    break;
  }
  pthread_mutex_unlock(&table.lock);
  free(removed);
}

__attribute__((constructor)) static void watch_images(void) {
  // Calls back at once for every image that is loaded already.
  _dyld_register_func_for_add_image(image_added);
  _dyld_register_func_for_remove_image(image_removed);
}

uint64_t registry_images_generation(void) { return __atomic_load_n(&table.generation, __ATOMIC_ACQUIRE); }

/// Counts what a snapshot needs. Under the lock.
static registry_needs needs_after(uint64_t after) {
  registry_needs needs = {0};
  for (const known_image *image = table.first; image; image = image->next) {
    registry_need_image(&needs, image->path_length);
    for (size_t index = 0; image->serial > after && index < SECTIONS; ++index) {
      if (image->sections[index].size == 0) continue;
      registry_need_section(&needs, image->sections[index].address, image->sections[index].size);
    }
  }
  return needs;
}

/// Fills a snapshot that has room for what `needs_after` counted. Under the lock.
static void fill(registry_block *block, uint64_t after) {
  for (const known_image *image = table.first; image; image = image->next) {
    registry_image *added = registry_block_add_image(
        block, image->serial, (uintptr_t)image->header, image->path, image->path_length);
    for (size_t index = 0; image->serial > after && index < SECTIONS; ++index) {
      if (image->sections[index].size == 0) continue;
      (void)registry_block_add_section(
          block, added, image->sections[index].address, image->sections[index].size, 0);
    }
  }
  block->snapshot->generation = table.generation;
}

registry_snapshot *registry_images_snapshot(uint64_t after) {
  for (;;) {
    pthread_mutex_lock(&table.lock);
    registry_needs needs = needs_after(after);
    uint64_t generation = table.generation;
    pthread_mutex_unlock(&table.lock);

    registry_block block;
    if (!registry_block_create(&block, needs)) return NULL;

    pthread_mutex_lock(&table.lock);
    bool unchanged = generation == table.generation;
    if (unchanged) fill(&block, after);
    pthread_mutex_unlock(&table.lock);
    if (unchanged) return block.snapshot;
    registry_snapshot_free(block.snapshot);
  }
}

bool registry_image_pin(const void *address) {
  Dl_info info;
  if (dladdr(address, &info) == 0 || !info.dli_fname) return false;
  // The main program stays; its name would not open it.
  const struct mach_header *header = info.dli_fbase;
  if (header && header->filetype == MH_EXECUTE) return true;
  return dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE) != NULL;
}

#endif
