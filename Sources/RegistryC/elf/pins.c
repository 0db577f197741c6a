// Keeps images mapped until the process ends, on ELF systems. "Pins" in Design.md explains which
// threads may wait for the loader.

#include "images.h"

#if defined(__ELF__)

#include <fcntl.h>
#include <stdio.h>
#include <time.h>
#if defined(__linux__)
#include <sys/syscall.h>
#endif

// These functions are weak, because a C library may keep them in another library (libdl in glibc
// before 2.34), and static programs can lack them. Without them, no image can be opened or closed.
#pragma weak dlinfo
#pragma weak dlopen

#if defined(__GLIBC__)
/// A variable in glibc 2.32 and later.
extern char is_single_threaded __asm__("__libc_single_threaded") __attribute__((weak));
#endif

#include "../own_copy.h"

/// The image that contains an address. `owner_callback` finds the image and fills the caller's
/// structure, because a copy would take 4 KB of stack space.
typedef struct owner {
  uintptr_t address;
  size_t index;
  uintptr_t base;
  registry_segment segment;
  bool found;
  /// The path of the image's file; empty if it's unknown or too long.
  char path[4096];
} owner;

static int owner_callback(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  owner *owner = context;
  // Reading the headers of an image costs a cache miss. An address above the address space's middle
  // can be the negative distance of a prelinked image.
  bool is_above = (intptr_t)info->dlpi_addr > 0 && owner->address < info->dlpi_addr;
  for (size_t index = 0; index < info->dlpi_phnum && !owner->found && !is_above; ++index) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[index];
    uintptr_t start = info->dlpi_addr + header->p_vaddr;
    owner->found = header->p_type == PT_LOAD && owner->address - start < header->p_memsz;
    if (owner->found) owner->segment = (registry_segment){start, start + header->p_memsz};
  }
  if (!owner->found) {
    ++owner->index;
    return 0;
  }
  owner->base = registry_base_of(info);
  const char *path = info->dlpi_name ? info->dlpi_name : "";
  size_t length = registry_text_length(path);
  registry_copy_text(owner->path, path, length < sizeof owner->path ? length : 0);
  return 1;
}

// musl never unmaps an image. Its `dlopen` finds a loaded image by name only while the name leads
// to the image's file, so a pin would fail after a `chdir` or once the file is deleted.
#if defined(__linux__) && !defined(__GLIBC__) && !defined(__BIONIC__) && !defined(__UCLIBC__)
enum { LOADER_NEVER_UNMAPS = true };
#else
enum { LOADER_NEVER_UNMAPS = false };
#endif

/// The number of pauses before a thread stops waiting for a blocked helper.
enum { PAUSES = 60 };
static const struct timespec pause_length = {.tv_nsec = 100 * 1000};

/// An image that was pinned. No other image is ever loaded at the same base.
typedef struct pinned_image {
  struct pinned_image *next;
  uintptr_t base;
} pinned_image;

static struct {
  pthread_mutex_t lock;
  pinned_image *first;
  /// The image that the helper pins.
  owner wanted;
  bool has_helper;
  /// The helper's thread ID in the kernel; 0 until the helper runs, and always 0 outside Linux.
  long helper;
  /// True if a thread has stopped waiting for the helper.
  bool is_late;
} pinned = {.lock = PTHREAD_MUTEX_INITIALIZER};

/// Returns whether the calling thread may pin an image itself.
static bool may_wait(void) {
#if defined(__GLIBC__)
  // A single-threaded process has no other thread to wait for.
  return registry_is_opening() || (&is_single_threaded && is_single_threaded);
#else
  // If the loader holds its lock while constructors run (Bionic), every scan waits for them anyway.
  return true;
#endif
}

/// The caller holds the lock.
static bool is_pinned(uintptr_t base) {
  const pinned_image *image = pinned.first;
  while (image && image->base != base) image = image->next;
  return image;
}

/// Pins an image other than the main program. Waits for constructors on other threads.
static registry_pin_result pin(const owner *owner) {
  // The handle is never closed, which pins the image even with loaders that lack RTLD_NODELETE.
  void *handle = *owner->path ? dlopen(owner->path, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE) : NULL;
  // In the meantime, the image may have been closed and reopened at another address.
  if (!handle || registry_open_base(handle) != owner->base) return REGISTRY_PIN_REFUSED;
  pinned_image *image = malloc(sizeof *image);
  if (!image) return REGISTRY_PIN_REFUSED;
  image->base = owner->base;
  pthread_mutex_lock(&pinned.lock);
  image->next = pinned.first;
  pinned.first = image;
  pthread_mutex_unlock(&pinned.lock);
  return REGISTRY_PIN_KEPT;
}

/// Returns whether a helper is waiting, for example for the loader's lock. True if that's unknown,
/// as on systems other than Linux. Don't hold `pinned.lock`, which the helper may need.
static bool is_blocked(long helper) {
#if defined(__linux__)
  char text[512];
  if (helper == 0) return false;
  (void)snprintf(text, sizeof text, "/proc/self/task/%ld/stat", helper);
  int file = open(text, O_RDONLY | O_CLOEXEC);
  if (file < 0) return true;
  ssize_t size = read(file, text, sizeof text - 1);
  (void)close(file);
  text[size > 0 ? size : 0] = 0;
  // The state follows the thread's name, which is in parentheses and can contain any character.
  const char *end = strrchr(text, ')');
  return !end || strncmp(end, ") S", 3) == 0;
#else
  (void)helper;
  return true;
#endif
}

static void *help(void *unused) {
#if defined(__linux__)
  pthread_mutex_lock(&pinned.lock);
  pinned.helper = syscall(SYS_gettid);
  pthread_mutex_unlock(&pinned.lock);
#endif
  (void)pin(&pinned.wanted);
  pthread_mutex_lock(&pinned.lock);
  pinned.has_helper = pinned.is_late = false;
  pinned.helper = 0;
  pthread_mutex_unlock(&pinned.lock);
  return unused;
}

/// Pins an image directly or on a helper thread. If the helper stays blocked, the loader is
/// probably running constructors, which may wait for the calling thread, so the pin counts as
/// refused. The helper continues to wait, and holds no lock that another thread waits for.
static registry_pin_result keep(const owner *owner) {
  bool has_asked = false;
  pthread_mutex_lock(&pinned.lock);
  if (!is_pinned(owner->base) && may_wait()) {
    pthread_mutex_unlock(&pinned.lock);
    return pin(owner);
  }
  // After a fork, `has_helper` can be true without a helper, so limit the rounds as well.
  for (int pauses = 0, rounds = 0; !is_pinned(owner->base) && rounds < 10000; ++rounds) {
    if (!pinned.has_helper) {
      pthread_t thread;
      pinned.wanted = *owner;
      if (has_asked || pthread_create(&thread, NULL, help, NULL) != 0) break;
      (void)pthread_detach(thread);
      has_asked = pinned.has_helper = true;
    }
    long helper = pinned.helper;
    bool is_late = pinned.is_late;
    pthread_mutex_unlock(&pinned.lock);
    bool blocked = is_late && is_blocked(helper);
    if (!blocked) {
      (void)nanosleep(&pause_length, NULL);
      blocked = is_blocked(helper);
    }
    pthread_mutex_lock(&pinned.lock);
    if (blocked && helper == pinned.helper && (is_late || ++pauses == PAUSES)) {
      pinned.is_late = true;
      break;
    }
  }
  bool is_kept = is_pinned(owner->base);
  pthread_mutex_unlock(&pinned.lock);
  return is_kept ? REGISTRY_PIN_KEPT : REGISTRY_PIN_REFUSED;
}

registry_pin_result registry_image_pin_segment(const void *address, registry_segment *segment) {
  *segment = (registry_segment){0};
  owner owner = {.address = (uintptr_t)address};
  dl_iterate_phdr(owner_callback, &owner);
  if (!owner.found) return REGISTRY_PIN_NO_IMAGE;
  // The main program is first and stays loaded, and `dlopen` can't find it by its name. A static
  // program has no loader that could unmap an image.
  if (owner.index > 0 && !LOADER_NEVER_UNMAPS && dlinfo && dlopen) {
    registry_pin_result result = keep(&owner);
    if (result != REGISTRY_PIN_KEPT && !registry_program_needs(owner.base)) return result;
  }
  // Look up the segment after pinning. Until then, another image could be loaded at the address.
  owner.found = false;
  dl_iterate_phdr(owner_callback, &owner);
  *segment = owner.segment;
  return REGISTRY_PIN_KEPT;
}

/// Pins the image that contains this code, because a helper may be running it.
__attribute__((constructor)) static void pin_own_image(void) { (void)registry_image_pin(&pinned); }

uintptr_t registry_open_base(void *handle) {
  struct link_map *map = NULL;
  if (!dlinfo || dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || !map) return 0;
  // The map's address is the base only if the file's lowest segment address is zero, but the
  // dynamic section is always in the image.
  owner owner = {.address = (uintptr_t)map->l_ld};
  dl_iterate_phdr(owner_callback, &owner);
  return owner.base;
}

#endif
