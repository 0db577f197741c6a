// Darwin's mutexes, implemented with glibc's, and its unfair locks. A Darwin mutex has 64 bytes,
// and the first eight are a signature. Its static initializer is the signature and zeros, and zeros
// also represent an unlocked mutex of glibc.

#define _GNU_SOURCE

#include "host_pthread.h"
#include "image.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct darwin_mutex {
  uint64_t signature;
  pthread_mutex_t mutex;
};

_Static_assert(sizeof(darwin_mutex) <= 64, "it stands in a pthread_mutex_t of Darwin's");

static const uint64_t mutex_signature = 0x32AAABA7;

static pthread_mutex_t *inner(darwin_mutex *mutex) {
  if (mutex->signature != mutex_signature) {
    fputs("test dyld: a mutex is used that was not initialised, or is no longer one\n", stderr);
    abort();
  }
  return &mutex->mutex;
}

int host_mutex_init(darwin_mutex *mutex, const void *attributes) {
  if (attributes) abort();
  mutex->signature = mutex_signature;
  return pthread_mutex_init(&mutex->mutex, NULL);
}

int host_mutex_destroy(darwin_mutex *mutex) {
  int result = pthread_mutex_destroy(inner(mutex));
  if (result == 0) mutex->signature = 0;
  return result;
}

int host_mutex_lock(darwin_mutex *mutex) {
  int result = pthread_mutex_lock(inner(mutex));
  if (result == 0) host_note_mutex(1);
  return result;
}

int host_mutex_unlock(darwin_mutex *mutex) {
  host_note_mutex(-1);
  return pthread_mutex_unlock(inner(mutex));
}

static uint32_t own_id(void) { return (uint32_t)syscall(SYS_gettid); }

/// Acquires an unfair lock.
///
/// As on Darwin, a locked unfair lock contains its owner, so that the kernel can raise that
/// thread's priority. `host_note_mutex` does not count it as a mutex, because the library holds one
/// while it runs other code.
void host_unfair_lock_lock(uint32_t *lock) {
  if (__atomic_load_n(lock, __ATOMIC_RELAXED) == own_id()) {
    fputs("test dyld: a thread waits for an unfair lock that it holds\n", stderr);
    abort();
  }
  for (uint32_t none = 0;
       !__atomic_compare_exchange_n(lock, &none, own_id(), false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED); none = 0) {
    sched_yield();
  }
}

void host_unfair_lock_unlock(uint32_t *lock) {
  if (__atomic_load_n(lock, __ATOMIC_RELAXED) != own_id()) {
    fputs("test dyld: an unfair lock is released by a thread that does not hold it\n", stderr);
    abort();
  }
  __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}

int host_main_np(void) { return syscall(SYS_gettid) == getpid(); }
