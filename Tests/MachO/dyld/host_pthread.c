// Darwin's mutexes and conditions on glibc's. Darwin's have 64 and 48 bytes, the first eight of a mutex a signature; its
// static initialiser is that signature and zeros, and zeros are what an unlocked mutex of glibc's is.

#define _GNU_SOURCE

#include "host_pthread.h"
#include "image.h"

#include <pthread.h>
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
// A condition is used only once it was initialised, so it may be all of glibc's.
_Static_assert(sizeof(pthread_cond_t) <= 48, "it stands in a pthread_cond_t of Darwin's");

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

int host_cond_init(pthread_cond_t *condition, const void *attributes) {
  if (attributes) abort();
  return pthread_cond_init(condition, NULL);
}

int host_cond_wait(pthread_cond_t *condition, darwin_mutex *mutex) {
  return pthread_cond_wait(condition, inner(mutex));
}

int host_main_np(void) { return syscall(SYS_gettid) == getpid(); }
