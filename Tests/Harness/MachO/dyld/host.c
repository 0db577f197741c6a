// The functions that replace the system's libraries: those of dyld, and those of the C library that
// RegistryC and the test images use. libSystem.tbd lists the same names for the linker.

#define _GNU_SOURCE

#include "image.h"

#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/// Ends the process when an image does something that no image may do.
static _Noreturn void refuse(const char *what) {
  fprintf(stderr, "test dyld: %s\n", what);
  abort();
}

// MARK: Controls for tests

static bool is_out_of_memory;
static unsigned calls_under_mutex;
static _Thread_local int mutexes_held;

void dyld_fail_allocations(bool fail) { is_out_of_memory = fail; }

unsigned dyld_calls_under_mutex(void) { return __atomic_load_n(&calls_under_mutex, __ATOMIC_SEQ_CST); }

void host_note_call(void) {
  if (mutexes_held > 0) __atomic_add_fetch(&calls_under_mutex, 1, __ATOMIC_SEQ_CST);
}

/// Returns true if the next allocation may succeed.
static bool may_allocate(void) {
  host_note_call();
  return !is_out_of_memory;
}

// MARK: Memory

static void *host_malloc(size_t size) { return may_allocate() ? malloc(size) : NULL; }

static void *host_calloc(size_t count, size_t size) { return may_allocate() ? calloc(count, size) : NULL; }

static void *host_realloc(void *memory, size_t size) { return may_allocate() ? realloc(memory, size) : NULL; }

static void *host_aligned_alloc(size_t alignment, size_t size) {
  // Darwin's C library refuses such sizes, which the standard leaves open.
  if (size % alignment != 0) return NULL;
  return may_allocate() ? aligned_alloc(alignment, size) : NULL;
}

static void host_free(void *memory) {
  host_note_call();
  free(memory);
}

/// Clears memory.
///
/// Darwin's compiler calls this function instead of `memset` with zero.
static void host_bzero(void *memory, size_t size) { memset(memory, 0, size); }

/// The library's callbacks don't call this function, so dyld can still have to bind it.
static int host_strcmp(const char *first, const char *second) {
  host_note_call();
  return strcmp(first, second);
}

// MARK: dyld

/// Darwin's values, which differ from glibc's.
enum { DARWIN_RTLD_NOLOAD = 0x10, DARWIN_RTLD_NODELETE = 0x80 };

static void *host_dlopen(const char *path, int mode) {
  return dyld_open_with(path, mode & DARWIN_RTLD_NOLOAD, mode & DARWIN_RTLD_NODELETE);
}

static int host_dlclose(void *handle) { return dyld_close(handle) ? 0 : -1; }

static const void *host_image_header(uint32_t index) {
  const dyld_image *image = dyld_image_number(index);
  return image ? image->header : NULL;
}

static const char *host_image_name(uint32_t index) {
  const dyld_image *image = dyld_image_number(index);
  return image ? image->path : NULL;
}

static int host_dladdr(const void *address, Dl_info *info) {
  const dyld_image *image = dyld_image_at(address);
  if (image) *info = (Dl_info){.dli_fname = image->path, .dli_fbase = image->header};
  return image != NULL;
}

/// Finds a section in the header in memory.
///
/// Like Darwin's function, it takes no lock and does not access the list of images.
static uint8_t *host_getsectiondata(const struct mach_header_64 *header, const char *segment_name, const char *name,
                                    unsigned long *size) {
  host_note_call();
  const uint8_t *at = (const uint8_t *)(header + 1);
  const struct section_64 *found = NULL;
  intptr_t slide = 0;
  for (uint32_t index = 0; index < header->ncmds; ++index) {
    const struct load_command *command = (const void *)at;
    at += command->cmdsize;
    if (command->cmd != LC_SEGMENT_64) continue;
    const struct segment_command_64 *segment = (const void *)command;
    if (segment->fileoff == 0 && segment->filesize > 0) slide = (intptr_t)header - (intptr_t)segment->vmaddr;
    if (strncmp(segment->segname, segment_name, sizeof segment->segname) != 0) continue;
    const struct section_64 *sections = (const void *)(segment + 1);
    for (uint32_t place = 0; place < segment->nsects && !found; ++place) {
      // A name of sixteen characters has no terminator.
      if (strncmp(sections[place].sectname, name, sizeof sections[place].sectname) == 0) found = &sections[place];
    }
  }
  *size = found ? found->size : 0;
  return found ? (uint8_t *)(found->addr + (uint64_t)slide) : NULL;
}

/// Finds a segment in the header in memory, like the function above.
static uint8_t *host_getsegmentdata(const struct mach_header_64 *header, const char *name, unsigned long *size) {
  host_note_call();
  const uint8_t *at = (const uint8_t *)(header + 1);
  const struct segment_command_64 *found = NULL;
  intptr_t slide = 0;
  for (uint32_t index = 0; index < header->ncmds; ++index) {
    const struct segment_command_64 *segment = (const void *)at;
    at += segment->cmdsize;
    if (segment->cmd != LC_SEGMENT_64) continue;
    if (segment->fileoff == 0 && segment->filesize > 0) slide = (intptr_t)header - (intptr_t)segment->vmaddr;
    if (strncmp(segment->segname, name, sizeof segment->segname) == 0) found = segment;
  }
  *size = found ? found->vmsize : 0;
  return found ? (uint8_t *)(found->vmaddr + (uint64_t)slide) : NULL;
}

// MARK: Threads

/// Darwin's mutexes, implemented with glibc's.
///
/// A Darwin mutex has 64 bytes, and the first eight are a signature. Its static initializer is the
/// signature and zeros, and zeros also represent an unlocked mutex of glibc.
typedef struct darwin_mutex {
  uint64_t signature;
  pthread_mutex_t mutex;
} darwin_mutex;

_Static_assert(sizeof(darwin_mutex) <= 64, "it stands in a pthread_mutex_t of Darwin's");

static const uint64_t mutex_signature = 0x32AAABA7;

static pthread_mutex_t *inner(darwin_mutex *mutex) {
  if (mutex->signature != mutex_signature) refuse("a mutex is used that was not initialised, or is no longer one");
  return &mutex->mutex;
}

static int host_mutex_init(darwin_mutex *mutex, const void *attributes) {
  if (attributes) abort();
  mutex->signature = mutex_signature;
  return pthread_mutex_init(&mutex->mutex, NULL);
}

static int host_mutex_destroy(darwin_mutex *mutex) {
  int result = pthread_mutex_destroy(inner(mutex));
  if (result == 0) mutex->signature = 0;
  return result;
}

static int host_mutex_lock(darwin_mutex *mutex) {
  int result = pthread_mutex_lock(inner(mutex));
  if (result == 0) mutexes_held += 1;
  return result;
}

static int host_mutex_unlock(darwin_mutex *mutex) {
  mutexes_held -= 1;
  return pthread_mutex_unlock(inner(mutex));
}

static uint32_t own_id(void) { return (uint32_t)syscall(SYS_gettid); }

/// Acquires an unfair lock.
///
/// As on Darwin, a locked unfair lock contains its owner, so that the kernel can raise that
/// thread's priority. It does not count as a mutex, because the library holds one
/// while it runs other code.
static void host_unfair_lock_lock(uint32_t *lock) {
  if (__atomic_load_n(lock, __ATOMIC_RELAXED) == own_id()) refuse("a thread waits for an unfair lock that it holds");
  for (uint32_t none = 0;
       !__atomic_compare_exchange_n(lock, &none, own_id(), false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED); none = 0) {
    sched_yield();
  }
}

static void host_unfair_lock_unlock(uint32_t *lock) {
  if (__atomic_load_n(lock, __ATOMIC_RELAXED) != own_id()) refuse("a thread releases an unfair lock that it does not hold");
  __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}

static int host_main_np(void) { return syscall(SYS_gettid) == getpid(); }

/// Determines the lowest address and the size of a thread's stack.
static void *stack_of(pthread_t thread, size_t *size) {
  pthread_attr_t attributes;
  void *low;
  if (pthread_getattr_np(thread, &attributes) != 0 || pthread_attr_getstack(&attributes, &low, size) != 0) abort();
  pthread_attr_destroy(&attributes);
  return low;
}

static size_t host_stack_size(pthread_t thread) {
  size_t size;
  (void)stack_of(thread, &size);
  return size;
}

/// Returns the highest address of a thread's stack, as on Darwin.
static void *host_stack_address(pthread_t thread) {
  size_t size;
  char *low = stack_of(thread, &size);
  return low + size;
}

// MARK: Dispatch

const char dyld_main_queue[] = "com.apple.main-thread";
static _Thread_local const char *queue_label;

/// A stand-in for the main queue, because images use only its address.
static char main_queue;

void dyld_enter_queue(const char *label) { queue_label = label; }

static const char *host_queue_get_label(const void *queue) {
  if (queue == &main_queue) return dyld_main_queue;
  if (queue) abort();
  // Dispatch returns this label on a thread that runs no queue's block.
  return queue_label ? queue_label : "com.apple.root.default-qos.overcommit";
}

// MARK: The table

static int *host_error(void) {
  // The images compare only with EINTR, whose value is the same on both systems.
  return &errno;
}

/// Reads a clock.
///
/// The structure is the same on both systems, but the clocks' numbers differ.
static int host_clock_gettime(int clock, struct timespec *time) {
  // Six is Darwin's CLOCK_MONOTONIC.
  if (clock != 6) abort();
  return clock_gettime(CLOCK_MONOTONIC, time);
}

static uintptr_t stack_guard = 0x595e9fbd94fda700;

/// The form of `memcpy` that Apple's headers choose for a variable of known size.
static void *host_memcpy_checked(void *to, const void *from, size_t size, size_t room) {
  if (size > room) refuse("an image copies beyond the end of a variable");
  return memcpy(to, from, size);
}

static void host_stack_check_failed(void) { refuse("an image wrote past the end of a variable on its stack"); }

/// A function of signals.c, which is linked and never runs here, because the numbers and structures
/// of Darwin's signals are others.
static void host_signals(void) { refuse("signals are not supported"); }

#define FUNCTION(name, function) {"_" name, (void *)(function)}

static const struct {
  const char *symbol;
  void *address;
} table[] = {
    FUNCTION("_dyld_register_func_for_add_image", dyld_register_add),
    FUNCTION("_dyld_register_func_for_remove_image", dyld_register_remove),
    FUNCTION("getsectiondata", host_getsectiondata),
    FUNCTION("getsegmentdata", host_getsegmentdata),
    FUNCTION("dladdr", host_dladdr),
    FUNCTION("dlopen", host_dlopen),
    FUNCTION("dlclose", host_dlclose),
    FUNCTION("dlerror", dyld_problem),
    FUNCTION("_dyld_image_count", dyld_image_count),
    FUNCTION("_dyld_get_image_header", host_image_header),
    FUNCTION("_dyld_get_image_name", host_image_name),
    FUNCTION("malloc", host_malloc),
    FUNCTION("calloc", host_calloc),
    FUNCTION("realloc", host_realloc),
    FUNCTION("aligned_alloc", host_aligned_alloc),
    FUNCTION("free", host_free),
    FUNCTION("malloc_size", malloc_usable_size),
    FUNCTION("abort", abort),
    FUNCTION("getenv", getenv),
    FUNCTION("__memcpy_chk", host_memcpy_checked),
    FUNCTION("memcpy", memcpy),
    FUNCTION("memmove", memmove),
    FUNCTION("memset", memset),
    FUNCTION("memcmp", memcmp),
    FUNCTION("memchr", memchr),
    FUNCTION("qsort", qsort),
    FUNCTION("__bzero", host_bzero),
    FUNCTION("bzero", host_bzero),
    FUNCTION("strlen", strlen),
    FUNCTION("strcmp", host_strcmp),
    FUNCTION("strncmp", strncmp),
    FUNCTION("strstr", strstr),
    FUNCTION("write", write),
    FUNCTION("__stdinp", &stdin),
    FUNCTION("__stdoutp", &stdout),
    FUNCTION("fflush", fflush),
    FUNCTION("ftrylockfile", ftrylockfile),
    FUNCTION("funlockfile", funlockfile),
    FUNCTION("clock_gettime", host_clock_gettime),
    FUNCTION("__error", host_error),
    FUNCTION("__cxa_atexit", dyld_at_exit),
    FUNCTION("__stack_chk_guard", &stack_guard),
    FUNCTION("__stack_chk_fail", host_stack_check_failed),
    FUNCTION("_tlv_bootstrap", dyld_thread_variable),
    FUNCTION("pthread_mutex_init", host_mutex_init),
    FUNCTION("pthread_mutex_destroy", host_mutex_destroy),
    FUNCTION("pthread_mutex_lock", host_mutex_lock),
    FUNCTION("pthread_mutex_unlock", host_mutex_unlock),
    FUNCTION("os_unfair_lock_lock", host_unfair_lock_lock),
    FUNCTION("os_unfair_lock_unlock", host_unfair_lock_unlock),
    FUNCTION("pthread_main_np", host_main_np),
    FUNCTION("pthread_self", pthread_self),
    FUNCTION("pthread_get_stackaddr_np", host_stack_address),
    FUNCTION("pthread_get_stacksize_np", host_stack_size),
    FUNCTION("_dispatch_main_q", &main_queue),
    FUNCTION("dispatch_queue_get_label", host_queue_get_label),
    FUNCTION("close", host_signals),
    FUNCTION("fcntl", host_signals),
    FUNCTION("getpid", host_signals),
    FUNCTION("pipe", host_signals),
    FUNCTION("pthread_sigmask", host_signals),
    FUNCTION("raise", host_signals),
    FUNCTION("sched_yield", host_signals),
    FUNCTION("sigaction", host_signals),
};

/// Returns a function that exists only where Swift code runs, or replaces one of the table there.
///
/// ../swift/bridge.c defines this function. The tests of C code do without it.
__attribute__((weak)) void *host_bridged_symbol(const char *symbol);

void *host_symbol(const char *symbol) {
  void *bridged = host_bridged_symbol ? host_bridged_symbol(symbol) : NULL;
  if (bridged) return bridged;
  for (size_t index = 0; index < sizeof table / sizeof table[0]; ++index) {
    if (strcmp(table[index].symbol, symbol) == 0) return table[index].address;
  }
  return NULL;
}
