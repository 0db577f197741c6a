// The loaded images: opening with all dependencies, closing with all that are no longer needed, and
// callbacks.
//
// Opening maps all images, fixes them up in the list, and then calls callbacks and initializers.
// Closing calls terminators and callbacks, and then unmaps the images.

#define _GNU_SOURCE

#include "image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

dyld_image *dyld_images;

/// The lock of the list of images, and the API lock.
///
/// If `is_unlocked` is set, `lock` is released while initializers run, and `api_lock` is held
/// instead.
static pthread_mutex_t lock, api_lock;
static pthread_once_t lock_once = PTHREAD_ONCE_INIT;
static bool is_unlocked;

static void make_lock(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  // Callbacks and initializers can open and close images.
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&lock, &attributes);
  pthread_mutex_init(&api_lock, &attributes);
  pthread_mutexattr_destroy(&attributes);
}

void dyld_lock(void) {
  host_note_call();
  pthread_once(&lock_once, make_lock);
  pthread_mutex_lock(&lock);
}

void dyld_unlock(void) { pthread_mutex_unlock(&lock); }

void dyld_run_initialisers_unlocked(void) { is_unlocked = true; }

static void lock_api(void) {
  pthread_once(&lock_once, make_lock);
  if (is_unlocked) pthread_mutex_lock(&api_lock);
}

static void unlock_api(void) {
  if (is_unlocked) pthread_mutex_unlock(&api_lock);
}

/// Returns true if another thread opens or closes an image and this dyld has an API lock.
static bool is_api_locked_elsewhere(void) {
  if (!is_unlocked) return false;
  pthread_once(&lock_once, make_lock);
  if (pthread_mutex_trylock(&api_lock) != 0) return true;
  pthread_mutex_unlock(&api_lock);
  return false;
}

void dyld_without_list_lock(void (*run)(dyld_image *image), dyld_image *image) {
  if (is_unlocked) dyld_unlock();
  run(image);
  if (is_unlocked) dyld_lock();
}

// MARK: Callbacks

typedef struct callbacks {
  dyld_callback *functions[64];
  size_t count;
} callbacks;

static callbacks when_added, when_removed;
static void (*while_registering)(size_t announced);

void dyld_while_registering(void (*function)(size_t announced)) { while_registering = function; }

static void announce(const callbacks *list, const dyld_image *image) {
  for (size_t index = 0; index < list->count; ++index) {
    list->functions[index]((const struct mach_header *)image->header, image->slide);
  }
}

void dyld_announce(dyld_image *image) {
  dyld_lock();
  announce(&when_added, image);
  dyld_unlock();
}

/// Adds a callback, and pins the image that contains it, as dyld does in macOS 12 and later.
///
/// A callback cannot be removed, so its image stays loaded (`RuntimeState::addNotifyAddFunc` in
/// dyld's source).
static void add(callbacks *list, dyld_callback *callback) {
  if (list->count == sizeof list->functions / sizeof list->functions[0]) abort();
  list->functions[list->count++] = callback;
  dyld_image *image = dyld_image_at((const void *)callback);
  if (image) image->is_pinned = true;
}

void dyld_register_add(dyld_callback *callback) {
  dyld_lock();
  // Registration immediately announces the loaded images, initialized or not.
  size_t announced = 0;
  for (const dyld_image *image = dyld_images; image; image = image->next) {
    callback((const struct mach_header *)image->header, image->slide);
    announced += 1;
    if (while_registering) while_registering(announced);
  }
  add(&when_added, callback);
  dyld_unlock();
}

void dyld_register_remove(dyld_callback *callback) {
  dyld_lock();
  add(&when_removed, callback);
  dyld_unlock();
}

// MARK: Opening

static void discard(dyld_image *image) {
  image_free_thread_variables(image);
  image_unmap(image);
  image_free(image);
}

static dyld_image *find(const char *path, const char *install_name) {
  for (dyld_image *image = dyld_images; image; image = image->next) {
    if (path && strcmp(image->path, path) == 0) return image;
    if (install_name && image->install_name && strcmp(image->install_name, install_name) == 0) return image;
  }
  return NULL;
}

/// Returns the place at the end of the list.
static dyld_image **end_of_list(void) {
  dyld_image **place = &dyld_images;
  while (*place) place = &(*place)->next;
  return place;
}

/// Returns the image of a file, which is mapped and appended to the list if it is new.
static dyld_image *load(const char *path) {
  char *real = realpath(path, NULL);
  if (!real) {
    (void)dyld_fail("%s: there is no such file.", path);
    return NULL;
  }
  dyld_image *image = find(real, NULL);
  if (image) {
    free(real);
    return image;
  }
  image = calloc(1, sizeof *image);
  if (!image) abort();
  image->path = real;
  if (!image_read(image) || !image_map(image)) {
    discard(image);
    return NULL;
  }
  *end_of_list() = image;
  return image;
}

/// Loads a dependency of an image.
///
/// `@rpath` and `@loader_path` stand for the dependent image's folder, which is sufficient for
/// tests.
static bool load_dependency(const dyld_image *image, dependency *library) {
  if (library->is_host) return true;
  library->image = find(NULL, library->name);
  if (library->image) return true;
  char path[4096], reason[512];
  const char *name = library->name;
  int folder = name[0] == '@' ? (int)(strrchr(image->path, '/') - image->path) : 0;
  snprintf(path, sizeof path, "%.*s%s", folder, image->path, name[0] == '@' ? strchr(name, '/') : name);
  library->image = load(path);
  if (library->image) return true;
  snprintf(reason, sizeof reason, "%s", dyld_problem());
  return dyld_fail("%s: needs %s, which cannot be loaded. %s", image->path, name, reason);
}

static bool load_dependencies(dyld_image *image) {
  for (size_t index = 0; index < image->dependency_count; ++index) {
    if (!load_dependency(image, &image->dependencies[index])) return false;
  }
  return true;
}

static bool prepare(dyld_image *image) {
  return image_fix_up_chains(image) && image_prepare_thread_variables(image) && image_protect(image);
}

/// Marks an image and its dependencies as needed, so that they are not unmapped.
static void need(dyld_image *image) {
  if (image->is_needed) return;
  image->is_needed = true;
  for (size_t index = 0; index < image->dependency_count; ++index) {
    if (image->dependencies[index].image) need(image->dependencies[index].image);
  }
}

/// Loads an image and its missing dependencies without announcing them, or discards all on failure.
static dyld_image *load_whole(const char *path) {
  dyld_image **first = end_of_list();
  bool loaded = load(path);
  // The traversal is breadth-first, because the list grows during it.
  for (dyld_image *image = *first; loaded && image; image = image->next) loaded = load_dependencies(image);
  for (dyld_image *image = *first; loaded && image; image = image->next) loaded = prepare(image);
  while (!loaded && *first) {
    dyld_image *image = *first;
    *first = image->next;
    discard(image);
  }
  return *first;
}

/// Calls the callbacks for an image and the images after it.
///
/// A callback that opens more images appends and announces them itself.
static void announce_from(dyld_image *image) {
  const dyld_image *last = image;
  while (last->next) last = last->next;
  for (;; image = image->next) {
    announce(&when_added, image);
    if (image == last) break;
  }
}

dyld_image *dyld_open_with(const char *path, bool only_if_loaded, bool pin) {
  if (!only_if_loaded) lock_api();
  bool is_conservative = only_if_loaded && is_api_locked_elsewhere();
  dyld_lock();
  char *real = realpath(path, NULL);
  dyld_image *image = real ? find(real, NULL) : NULL;
  free(real);
  bool is_new = !image;
  if (is_new && only_if_loaded) {
    (void)dyld_fail("%s: is not loaded.", path);
  } else if (is_conservative && !__atomic_load_n(&image->is_finished, __ATOMIC_ACQUIRE)) {
    (void)dyld_fail("%s: another thread runs its initialisers.", path);
    image = NULL;
  } else if (is_new) {
    image = load_whole(path);
  }
  if (image) {
    // Mark the image before callbacks and initializers run, because they can close other images.
    image->open_count += 1;
    // With RTLD_NOLOAD, dyld returns before it evaluates RTLD_NODELETE (`APIs::dlopen_from` in its
    // source, since 2021).
    image->is_pinned |= pin && !only_if_loaded;
    need(image);
    if (is_new) announce_from(image);
    if (!only_if_loaded) image_initialise(image);
  }
  dyld_unlock();
  if (!only_if_loaded) unlock_api();
  return image;
}

dyld_image *dyld_open(const char *path) { return dyld_open_with(path, false, false); }

// MARK: Closing

/// Unloads the images that no open or pinned image needs.
static void collect(void) {
  for (dyld_image *image = dyld_images; image; image = image->next) image->is_needed = false;
  for (dyld_image *image = dyld_images; image; image = image->next) {
    if (image->open_count > 0 || image->is_pinned) need(image);
  }
  images_terminate();
  for (const dyld_image *image = dyld_images; image; image = image->next) {
    if (!image->is_needed) announce(&when_removed, image);
  }
  for (dyld_image **place = &dyld_images; *place;) {
    dyld_image *image = *place;
    if (image->is_needed) {
      place = &image->next;
      continue;
    }
    *place = image->next;
    discard(image);
  }
}

bool dyld_close(dyld_image *image) {
  lock_api();
  dyld_lock();
  const dyld_image *other = dyld_images;
  while (other && other != image) other = other->next;
  bool is_open = other && image->open_count > 0;
  if (is_open) {
    image->open_count -= 1;
    collect();
  } else {
    (void)dyld_fail("An image was closed that is not open.");
  }
  dyld_unlock();
  unlock_api();
  return is_open;
}

// MARK: Queries

int dyld_run(dyld_image *image, int argc, char **argv) {
  if (image->entry == 0) return -1;
  // LC_MAIN guarantees that this data pointer is a function.
  return ((int (*)(int, char **))(void *)(image->header + image->entry))(argc, argv);
}

void *dyld_symbol(dyld_image *image, const char *name) {
  char symbol[256];
  snprintf(symbol, sizeof symbol, "_%s", name);
  void *address = image_export(image, symbol);
  if (!address) (void)dyld_fail("%s: does not export %s.", image->path, symbol);
  return address;
}

dyld_image *dyld_image_at(const void *address) {
  dyld_lock();
  dyld_image *image = dyld_images;
  while (image && (uintptr_t)address - (uintptr_t)image->memory >= image->memory_size) image = image->next;
  dyld_unlock();
  return image;
}

const void *dyld_header(const dyld_image *image) { return image->header; }

dyld_image *dyld_image_number(size_t index) {
  dyld_lock();
  dyld_image *image = dyld_images;
  while (image && index-- > 0) image = image->next;
  dyld_unlock();
  return image;
}

size_t dyld_image_count(void) {
  dyld_lock();
  size_t count = 0;
  for (const dyld_image *image = dyld_images; image; image = image->next) ++count;
  dyld_unlock();
  return count;
}
