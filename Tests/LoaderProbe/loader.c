// Other loaders, emulated on top of the loader of glibc. Tests preload this library into
// LoaderProbe, and the variable LOADER names the loader:
//
// - uncounted: Bionic before API 30. `dl_iterate_phdr` does not count the images that were loaded
//   and unloaded.
// - one-lock: Bionic. A single recursive lock is held for all of `dlopen`, also while initializers
//   run, and for `dl_iterate_phdr`.
// - unready: dyld 1378. `dlopen` with RTLD_NOLOAD fails on other threads while a thread is inside
//   `dlopen`.
//
// glibc holds its own lock while initializers run, so an initializer that waits for another thread
// would test glibc. The plug-ins of these tests therefore have a function, `plugin_initialize`,
// which `dlopen` below calls in place of an initializer after glibc has released its lock.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_loader(const char *name) {
  const char *loader = getenv("LOADER");
  return loader && strcmp(loader, name) == 0;
}

static pthread_mutex_t one_lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static bool lock(void) {
  bool is_needed = is_loader("one-lock");
  if (is_needed) pthread_mutex_lock(&one_lock);
  return is_needed;
}

static void unlock(bool is_locked) {
  if (is_locked) pthread_mutex_unlock(&one_lock);
}

typedef int callback(struct dl_phdr_info *, size_t, void *);

static int (*original_iterate)(callback *, void *);
static void *(*original_open)(const char *, int);

/// Finds the functions of glibc before any other code needs them, because `dlsym` waits for
/// initializers on other threads.
__attribute__((constructor)) static void find_originals(void) {
  original_iterate = (int (*)(callback *, void *))dlsym(RTLD_NEXT, "dl_iterate_phdr");
  original_open = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
}

typedef struct uncounted_pass {
  callback *callback;
  void *context;
} uncounted_pass;

static int without_counts(struct dl_phdr_info *info, size_t size, void *context) {
  (void)size;
  uncounted_pass *pass = context;
  return pass->callback(info, offsetof(struct dl_phdr_info, dlpi_adds), pass->context);
}

int dl_iterate_phdr(callback *callback, void *context) {
  if (!original_iterate) find_originals();
  bool is_locked = lock();
  uncounted_pass pass = {callback, context};
  int result = is_loader("uncounted") ? original_iterate(without_counts, &pass) : original_iterate(callback, context);
  unlock(is_locked);
  return result;
}

/// The number of threads that are opening an image, and a Boolean value that indicates whether this
/// thread is one of them.
static atomic_int opening;
static _Thread_local bool is_opening;

/// A function that the next pin calls first, unless the main thread pins.
static _Atomic(uintptr_t) before_pin;

void loader_call_before_pin(uintptr_t function) { before_pin = function; }

void *dlopen(const char *path, int mode) {
  if (!original_open) find_originals();
  if (mode & RTLD_NOLOAD) {
    void (*function)(void) = gettid() == getpid() ? NULL : (void (*)(void))atomic_exchange(&before_pin, 0);
    if (function) function();
    if (is_loader("unready") && opening > 0 && !is_opening) return NULL;
    return original_open(path, mode);
  }
  bool is_locked = lock();
  ++opening;
  is_opening = true;
  void *handle = original_open(path, mode);
  void (*initialize)(void) = handle ? (void (*)(void))dlsym(handle, "plugin_initialize") : NULL;
  if (initialize) initialize();
  is_opening = false;
  --opening;
  unlock(is_locked);
  return handle;
}

/// The size of the smallest block that cannot be allocated, or zero if there is no limit.
static atomic_size_t limit;

void loader_limit_memory(size_t size) { limit = size; }

extern void *__libc_malloc(size_t size);

void *malloc(size_t size) {
  if (limit != 0 && size >= limit) {
    errno = ENOMEM;
    return NULL;
  }
  return __libc_malloc(size);
}
