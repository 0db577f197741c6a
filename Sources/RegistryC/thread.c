// The variables of each thread, which are in C because Swift has no thread-local storage, and the
// bounds of its stack. Reading one takes one load.

#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "registry_sync.h"

#include <stddef.h>

#if defined(__APPLE__)
#include <pthread.h>
#elif defined(__linux__)
#include <pthread.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include "own_copy.h"

static _Thread_local void *thread_word = NULL;
static _Thread_local int thread_diagnostics = 0;

void *registry_thread_word(void) { return thread_word; }

void registry_thread_set_word(void *word) { thread_word = word; }

int registry_thread_add_diagnostics(int change) { return thread_diagnostics += change; }

typedef struct stack {
  bool is_known;
  uintptr_t low, high;
} stack;

static _Thread_local stack own_stack;

/// Determines the bounds. Both stay zero if they are unknown.
static void find_stack(stack *own) {
  own->is_known = true;
#if defined(__APPLE__)
  own->high = (uintptr_t)pthread_get_stackaddr_np(pthread_self());
  own->low = own->high - pthread_get_stacksize_np(pthread_self());
#elif defined(__linux__)
  pthread_attr_t attributes;
  void *low;
  size_t size;
  // The main thread's stack begins with the name of the program's file, and grows up to a limit.
  // pthread_getattr_np reads a file in glibc, and in musl finds only the part mapped so far.
  if (syscall(SYS_gettid) == getpid()) {
    struct rlimit limit;
    uintptr_t high = getauxval(AT_EXECFN), here = (uintptr_t)__builtin_frame_address(0);
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= high) return;
    own->high = high;
    own->low = high - (uintptr_t)limit.rlim_cur;
    if (here >= own->low && here < high) return;
    // The process was forked by another thread.
    own->low = own->high = 0;
  }
  if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
    if (pthread_attr_getstack(&attributes, &low, &size) == 0) {
      own->low = (uintptr_t)low;
      own->high = own->low + size;
    }
    pthread_attr_destroy(&attributes);
  }
#endif
}

bool registry_stack_is_low(void) {
  stack *own = &own_stack;
  if (!own->is_known) find_stack(own);
  uintptr_t here = (uintptr_t)__builtin_frame_address(0), reserve = (own->high - own->low) / 8;
  if (reserve > 256 * 1024) reserve = 256 * 1024;
  // The error itself needs some stack.
  if (reserve < 32 * 1024) reserve = 32 * 1024;
  if (reserve > (own->high - own->low) / 2) reserve = (own->high - own->low) / 2;
  return here >= own->low && here - own->low < reserve;
}
