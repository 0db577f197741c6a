// The lock and the turn that the Swift code uses.
//
// On every platform, the lock is a POSIX mutex, which ThreadSanitizer understands. Swift's mutex
// requires newer systems than we support, and not every platform has futexes. Lookups of existing
// instances acquire no lock.

#include "registry_sync.h"

#include <pthread.h>
#include <stdlib.h>

#if defined(__APPLE__)
#include <os/lock.h>
#endif

#include "own_copy.h"

struct registry_lock {
  pthread_mutex_t mutex;
};

registry_lock *registry_lock_create(void) {
  registry_lock *lock = malloc(sizeof *lock);
  if (lock) *lock = (registry_lock){PTHREAD_MUTEX_INITIALIZER};
  return lock;
}

void registry_lock_destroy(registry_lock *lock) {
  if (!lock) return;
  pthread_mutex_destroy(&lock->mutex);
  free(lock);
}

void registry_lock_acquire(registry_lock *lock) { pthread_mutex_lock(&lock->mutex); }

void registry_lock_release(registry_lock *lock) { pthread_mutex_unlock(&lock->mutex); }

#if defined(__APPLE__)

// The owner holds an unfair lock for its whole turn, and waiters acquire it, so the kernel knows
// which thread to raise to their priority. A condition variable has no owner.
struct registry_turn {
  os_unfair_lock lock;
};

registry_turn *registry_turn_create(void) {
  registry_turn *turn = malloc(sizeof *turn);
  if (turn) *turn = (registry_turn){OS_UNFAIR_LOCK_INIT};
  return turn;
}

void registry_turn_destroy(registry_turn *turn) { free(turn); }

void registry_turn_begin(registry_turn *turn) { os_unfair_lock_lock(&turn->lock); }

void registry_turn_end(registry_turn *turn) { os_unfair_lock_unlock(&turn->lock); }

void registry_turn_wait(registry_turn *turn) {
  os_unfair_lock_lock(&turn->lock);
  os_unfair_lock_unlock(&turn->lock);
}

#else

// Don't use a mutex that the owner holds for its turn. Turns nest when services need each other,
// and ThreadSanitizer would report opposite nesting orders as a possible deadlock, although the
// caller excludes cycles.
struct registry_turn {
  pthread_mutex_t mutex;
  pthread_cond_t ended;
  unsigned long begun_count;
  unsigned long ended_count;
};

registry_turn *registry_turn_create(void) {
  registry_turn *turn = malloc(sizeof *turn);
  if (turn) *turn = (registry_turn){.mutex = PTHREAD_MUTEX_INITIALIZER, .ended = PTHREAD_COND_INITIALIZER};
  return turn;
}

void registry_turn_destroy(registry_turn *turn) {
  if (!turn) return;
  pthread_cond_destroy(&turn->ended);
  pthread_mutex_destroy(&turn->mutex);
  free(turn);
}

void registry_turn_begin(registry_turn *turn) {
  pthread_mutex_lock(&turn->mutex);
  turn->begun_count += 1;
  pthread_mutex_unlock(&turn->mutex);
}

void registry_turn_end(registry_turn *turn) {
  pthread_mutex_lock(&turn->mutex);
  turn->ended_count = turn->begun_count;
  pthread_cond_broadcast(&turn->ended);
  pthread_mutex_unlock(&turn->mutex);
}

void registry_turn_wait(registry_turn *turn) {
  pthread_mutex_lock(&turn->mutex);
  // Wait for the current turn only, not for another thread's later turn.
  unsigned long awaited = turn->begun_count;
  while (turn->ended_count < awaited) pthread_cond_wait(&turn->ended, &turn->mutex);
  pthread_mutex_unlock(&turn->mutex);
}

#endif
