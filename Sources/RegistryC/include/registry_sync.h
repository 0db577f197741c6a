// What the Swift side needs from the platform for concurrency: a lock, a condition, a word per thread,
// and "is this executor the current one". The standard library's own need newer systems than we support.

#ifndef REGISTRY_SYNC_H
#define REGISTRY_SYNC_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// A mutual-exclusion lock with one condition. Not recursive.
typedef struct registry_lock registry_lock;

/// Null when memory runs out.
registry_lock *registry_lock_create(void);
void registry_lock_destroy(registry_lock *lock);
void registry_lock_acquire(registry_lock *lock);
void registry_lock_release(registry_lock *lock);
/// Releases the lock, waits for a broadcast (or for nothing: check again), acquires it again.
void registry_lock_wait(registry_lock *lock);
/// Wakes every thread that waits.
void registry_lock_broadcast(registry_lock *lock);

/// A word of this thread's own, null at first. What is in it is the Swift side's business.
void *registry_thread_word(void);
void registry_thread_set_word(void *word);

/// Returns whether the calling code runs on a serial executor.
///
/// On Apple systems the main thread and the main queue always count as the main executor. Without a Swift runtime that can
/// answer, the main thread counts as the main executor everywhere, and the result is false for other executors. On Linux
/// the result is also false for a plain block on the main queue once an asynchronous `main` has suspended.
///
/// \param identity The first word of Swift's `UnownedSerialExecutor`.
/// \param implementation The second word.
/// \param is_main Whether the executor is the main actor's.
bool registry_executor_is_current(uintptr_t identity, uintptr_t implementation, bool is_main);

#ifdef __cplusplus
}
#endif

#endif
