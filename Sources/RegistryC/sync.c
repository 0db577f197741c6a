// One lock for every platform: a POSIX mutex and condition. What would be smaller or faster is either newer
// than the systems we support (Swift's own mutex), without a condition (os_unfair_lock), or not
// there on every platform (futexes); and no look-up that hits takes a lock. ThreadSanitizer knows it, too.

#include "registry_sync.h"

#include <pthread.h>
#include <stdlib.h>

struct registry_lock {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
};

registry_lock *registry_lock_create(void) {
  registry_lock *lock = malloc(sizeof *lock);
  if (!lock) return NULL;
  if (pthread_mutex_init(&lock->mutex, NULL) != 0) {
    free(lock);
    return NULL;
  }
  if (pthread_cond_init(&lock->changed, NULL) != 0) {
    pthread_mutex_destroy(&lock->mutex);
    free(lock);
    return NULL;
  }
  return lock;
}

void registry_lock_destroy(registry_lock *lock) {
  if (!lock) return;
  pthread_cond_destroy(&lock->changed);
  pthread_mutex_destroy(&lock->mutex);
  free(lock);
}

void registry_lock_acquire(registry_lock *lock) { pthread_mutex_lock(&lock->mutex); }

void registry_lock_release(registry_lock *lock) { pthread_mutex_unlock(&lock->mutex); }

void registry_lock_wait(registry_lock *lock) { pthread_cond_wait(&lock->changed, &lock->mutex); }

void registry_lock_broadcast(registry_lock *lock) { pthread_cond_broadcast(&lock->changed); }
