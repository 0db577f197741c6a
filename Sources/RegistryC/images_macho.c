// Loaded images and their records on Apple systems: dyld's callbacks and `getsectiondata`.
//
// dyld reports every image that is loaded or unloaded, including images that were loaded earlier.
// The callbacks maintain a list of the images outside the shared cache. Records are read later.
//
// Lock order: dyld's locks first, then `list.lock`, because dyld holds its locks during callbacks.
// Code that holds `list.lock` never calls dyld and never allocates, because an allocator's zones
// may call any code. Lazy binding calls dyld, so this code calls only functions of this library and
// functions that the callbacks have already called.

#include "snapshot.h"

#if defined(__APPLE__)

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
// Pointers have 32 bits on arm64_32 (watchOS).
typedef struct mach_header image_header;
#endif

/// dyld relocates accessors, so the segment is writable. On arm64e, accessors are signed like every
/// C function pointer in data (key IA, discriminator zero, no address diversity). A copied pointer
/// is as valid as the original, and a call authenticates it.
static const char segment[] = "__DATA";
static const char *const section_names[] = {"__reg_modules", "__reg_services", "__reg_exports"};
enum { SECTION_COUNT = sizeof section_names / sizeof section_names[0] };

typedef struct loaded_image {
  struct loaded_image *next;
  const image_header *header;
  /// Zero for an image without records.
  uint64_t serial;
  struct {
    uintptr_t address;
    size_t size;
  } sections[SECTION_COUNT];
  /// A hash of the image's install name. Only `registry_open_needs` uses the name and `is_needed`.
  uint64_t name;
  bool is_needed;
  size_t path_length;
  char path[];
} loaded_image;

static struct {
  pthread_mutex_t lock;
  loaded_image *first;
  uint64_t last_serial;
} list = {.lock = PTHREAD_MUTEX_INITIALIZER};

/// Zero before the callbacks are registered. Written with the lock held.
static uint64_t generation;
/// True once a thread has begun to register the callbacks.
static bool is_registered;
/// True once dyld has announced every image that was already loaded. Guarded by the lock.
static bool is_complete;

static void image_added(const struct mach_header *mach_header, intptr_t slide) {
  (void)slide;
  // The hundreds of system libraries in the shared cache have no records.
  if (mach_header->flags & MH_DYLIB_IN_CACHE) return;
  const image_header *header = (const image_header *)mach_header;
  loaded_image found = {.header = header};
  bool any = false;
  for (size_t index = 0; index < SECTION_COUNT; ++index) {
    unsigned long size = 0;
    const uint8_t *start = getsectiondata(header, segment, section_names[index], &size);
    if (!start || size == 0) continue;
    found.sections[index].address = (uintptr_t)start;
    found.sections[index].size = size;
    any = true;
  }

  // Get the path from dladdr: an image's index in dyld's list can change at any time, and
  // LC_ID_DYLIB is a name, not a path. dladdr cannot deadlock here, because the lock that dyld
  // holds during a callback is recursive or shared with readers.
  Dl_info info;
  const char *path = any && dladdr(header, &info) != 0 && info.dli_fname ? info.dli_fname : "";
  size_t length = strlen(path);
  loaded_image *image = malloc(sizeof *image + length + 1);
  // A callback can't report that memory ran out, so the image's records stay unknown.
  if (!image) return;
  *image = found;
  image->path_length = length;
  memcpy(image->path, path, length + 1);

  pthread_mutex_lock(&list.lock);
  loaded_image **end = &list.first;
  // An image that is loaded while the callback is being registered may be announced twice.
  while (*end && (*end)->header != header) end = &(*end)->next;
  loaded_image *unused = image;
  if (!*end) {
    *end = image;
    unused = NULL;
    if (any) {
      image->serial = ++list.last_serial;
      __atomic_add_fetch(&generation, 1, __ATOMIC_RELEASE);
    }
  }
  pthread_mutex_unlock(&list.lock);
  free(unused);
}

/// Runs before the image is unmapped, and waits for readers, which hold the lock while they copy.
/// Never runs for this code's own image, because dyld keeps images that have registered callbacks.
static void image_removed(const struct mach_header *mach_header, intptr_t slide) {
  (void)slide;
  pthread_mutex_lock(&list.lock);
  loaded_image **link = &list.first;
  while (*link && (const void *)(*link)->header != (const void *)mach_header) link = &(*link)->next;
  loaded_image *removed = *link;
  if (removed) {
    *link = removed->next;
    if (removed->serial != 0) __atomic_add_fetch(&generation, 1, __ATOMIC_RELEASE);
  }
  pthread_mutex_unlock(&list.lock);
  free(removed);
}

/// Registers the callbacks once. `registry_images_generation` calls this function, too, because
/// other initializers can run before `registry_images_start`. A second thread does not wait for the
/// first, which may be inside dyld and wait for the second. Instead, the second thread's snapshots
/// are marked as partial, and the generation changes when the list is complete.
static void register_callbacks(void) {
  if (__atomic_exchange_n(&is_registered, true, __ATOMIC_ACQ_REL)) return;
  pthread_mutex_lock(&list.lock);
  __atomic_add_fetch(&generation, 1, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&list.lock);
  // Register for removals first, so that no removal is missed.
  _dyld_register_func_for_remove_image(image_removed);
  _dyld_register_func_for_add_image(image_added);
  pthread_mutex_lock(&list.lock);
  is_complete = true;
  __atomic_add_fetch(&generation, 1, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&list.lock);
}

__attribute__((constructor)) static void registry_images_start(void) { register_callbacks(); }

uint64_t registry_images_generation(void) {
  uint64_t now = __atomic_load_n(&generation, __ATOMIC_ACQUIRE);
  if (now != 0) return now;
  register_callbacks();
  now = __atomic_load_n(&generation, __ATOMIC_ACQUIRE);
  return now ? now : 1;
}

/// Counts or copies the images. The caller holds the lock, so no image is unloaded.
static bool visit(registry_block *block, uint64_t after) {
  for (const loaded_image *image = list.first; image; image = image->next) {
    if (image->serial == 0) continue;
    bool wanted = image->serial > after;
    size_t length = wanted ? image->path_length : 0;
    if (!registry_block_add_image(block, image->serial, (uintptr_t)image->header, image->path, length)) return false;
    for (size_t index = 0; index < SECTION_COUNT && wanted; ++index) {
      uintptr_t address = image->sections[index].address;
      size_t size = image->sections[index].size;
      if (size != 0 && !registry_block_add_section(block, address, size, 0)) return false;
    }
  }
  return true;
}

registry_snapshot *registry_images_snapshot(uint64_t after) {
  (void)registry_images_generation();  // Registers the callbacks.
  for (;;) {
    pthread_mutex_lock(&list.lock);
    registry_block block = {0};
    (void)visit(&block, after);
    pthread_mutex_unlock(&list.lock);
    if (!registry_block_allocate(&block)) return NULL;
    pthread_mutex_lock(&list.lock);
    bool complete = visit(&block, after);
    uint64_t now = __atomic_load_n(&generation, __ATOMIC_ACQUIRE);
    bool is_partial = !is_complete;
    pthread_mutex_unlock(&list.lock);
    if (complete) {
      block.snapshot->generation = now ? now : 1;
      block.snapshot->is_partial = is_partial;
      return block.snapshot;
    }
    registry_snapshot_free(block.snapshot);
  }
}

registry_pin_result registry_image_pin_segment(const void *address, registry_segment *segment) {
  *segment = (registry_segment){0};
  Dl_info info;
  if (dladdr(address, &info) == 0 || !info.dli_fname) return REGISTRY_PIN_NO_IMAGE;
  const image_header *header = info.dli_fbase;
  // The program and the images of the shared cache are never unmapped. For other images, never
  // release the reference that dlopen adds: dyld ignores RTLD_NODELETE in combination with
  // RTLD_NOLOAD (`dlopen_from` in its source).
  //
  // Since dyld 1378, if an image's initializers have not finished, the call fails while another
  // thread is inside `dlopen` or `dlclose`, but not on the thread that runs the initializers.
  bool stays = header->filetype == MH_EXECUTE || (header->flags & MH_DYLIB_IN_CACHE);
  if (!stays && !dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE)) return REGISTRY_PIN_REFUSED;
  // On arm64e, a function's signed address is in no segment, so each function needs its own call.
  unsigned long size = 0;
  uintptr_t start = (uintptr_t)getsegmentdata(header, "__TEXT", &size);
  *segment = (registry_segment){start, start + size};
  return REGISTRY_PIN_KEPT;
}

uintptr_t registry_open_base(void *handle) {
  // dyld does not report the image of a handle, but opening the image by its path returns the same
  // handle. The most recently opened image is usually near the end of the list.
  //
  // dyld 1378 refuses to open an image whose initializers another thread is running, but never the
  // image behind the handle: its initializers had finished when `dlopen` returned the handle, or
  // they are running on this thread. `dlclose` waits for other threads that are inside `dlopen`.
  for (uint32_t index = _dyld_image_count(); index > 0; --index) {
    const char *path = _dyld_get_image_name(index - 1);
    const struct mach_header *header = _dyld_get_image_header(index - 1);
    if (!path || !header || header->filetype == MH_EXECUTE) continue;
    void *other = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    if (!other) continue;
    (void)dlclose(other);
    if (other == handle) return (uintptr_t)header;
  }
  return 0;
}

const void *registry_next_conformances(const void *last, registry_segment *found) {
  pthread_mutex_lock(&list.lock);
  const loaded_image *image = last ? ((const loaded_image *)last)->next : list.first;
  for (; image; image = image->next) {
    unsigned long size = 0;
    uintptr_t start = (uintptr_t)getsectiondata(image->header, "__TEXT", "__swift5_proto", &size);
    *found = (registry_segment){start, start + size};
    if (image->serial != 0 && start != 0) break;
  }
  pthread_mutex_unlock(&list.lock);
  return image;
}

void registry_pin_swift(void) {
  // The list may change during the loop. The index counts down, so an image that moves to a lower
  // index is visited twice, not missed. An image that dyld refuses to pin needs no pin from this
  // thread: another thread is still running its initializers, but the initializers of all images
  // that this thread opened have finished.
  for (uint32_t index = _dyld_image_count(); index > 0; --index) {
    const struct mach_header *header = _dyld_get_image_header(index - 1);
    if (!header || header->filetype == MH_EXECUTE || (header->flags & MH_DYLIB_IN_CACHE)) continue;
    unsigned long size = 0;
    // Every image with a Swift type, protocol, or conformance has one of these sections.
    if (getsectiondata((const image_header *)header, "__TEXT", "__swift5_types", &size) ||
        getsectiondata((const image_header *)header, "__TEXT", "__swift5_proto", &size) ||
        getsectiondata((const image_header *)header, "__TEXT", "__swift5_protos", &size)) {
      (void)registry_image_pin(header);
    }
  }
}

/// Sets the name of an image if `own` is true. Otherwise, marks the image and the libraries that it
/// needs. Compares hashes, because binding `strcmp` lazily would call dyld with `list.lock` held.
static void read_names(loaded_image *image, bool own) {
  if (!own && image->is_needed) return;
  image->is_needed = !own;
  const uint8_t *at = (const uint8_t *)(image->header + 1);
  for (uint32_t index = 0; index < image->header->ncmds; ++index) {
    const struct load_command *command = (const void *)at;
    at += command->cmdsize;
    bool names_other = command->cmd == LC_LOAD_DYLIB || command->cmd == LC_LOAD_WEAK_DYLIB ||
                       command->cmd == LC_REEXPORT_DYLIB || command->cmd == LC_LOAD_UPWARD_DYLIB ||
                       command->cmd == LC_LAZY_LOAD_DYLIB;
    if (own ? command->cmd != LC_ID_DYLIB : !names_other) continue;
    const struct dylib_command *library = (const void *)command;
    uint64_t name = registry_hash_text((const char *)command + library->dylib.name.offset);
    if (own) image->name = name;
    for (loaded_image *other = list.first; !own && other; other = other->next) {
      if (other->name == name) read_names(other, false);
    }
  }
}

void registry_open_needs(uintptr_t image, const uintptr_t *libraries, size_t count, bool *is_needed) {
  // Calls no dyld function. With the lock held, no listed image is unmapped, because
  // `image_removed` waits for the lock.
  pthread_mutex_lock(&list.lock);
  for (loaded_image *other = list.first; other; other = other->next) read_names(other, true);
  for (loaded_image *other = list.first; other; other = other->next) {
    if ((uintptr_t)other->header == image) read_names(other, false);
  }
  for (const loaded_image *other = list.first; other; other = other->next) {
    if (!other->is_needed) continue;
    size_t position = registry_index_of((uintptr_t)other->header, libraries, count);
    if (position < count) is_needed[position] = true;
  }
  pthread_mutex_unlock(&list.lock);
}

#endif
