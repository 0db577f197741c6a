// Concurrency primitives for Swift code: a lock, a turn, values for each thread, and tests of the
// stack and the executor. Swift's own primitives require newer systems than we support.

#ifndef REGISTRY_SYNC_H
#define REGISTRY_SYNC_H

#include "registry_declarations.h"

REGISTRY_BEGIN_

/// A mutual-exclusion lock. Not recursive.
typedef struct registry_lock registry_lock;

/// Creates a lock. Null if memory runs out.
registry_lock *registry_lock_create(void);
void registry_lock_destroy(registry_lock *lock);
void registry_lock_acquire(registry_lock *lock);
void registry_lock_release(registry_lock *lock);

/// A turn that one thread at a time has while it works. Other threads wait for the turn to end. On
/// Apple systems, waiting threads lend their priority to the thread that has the turn.
typedef struct registry_turn registry_turn;

/// Creates a turn that no thread has. Null if memory runs out.
registry_turn *registry_turn_create(void);
/// Frees a turn that no thread has or waits for. Null is allowed.
void registry_turn_destroy(registry_turn *turn);
/// Acquires the turn. The caller ensures that no other thread has it.
void registry_turn_begin(registry_turn *turn);
/// Ends the calling thread's turn, so that waiting threads continue.
void registry_turn_end(registry_turn *turn);
/// Blocks until another thread's turn is over. Returns immediately if no thread has the turn.
///
/// If a third thread acquires the turn before the caller continues, the call may also wait for that
/// thread. The thread that has the turn must not call this function.
void registry_turn_wait(registry_turn *turn);

/// Returns the word of the calling thread, initially null. Only the Swift code interprets it.
void *registry_thread_word(void);
void registry_thread_set_word(void *word);

/// Returns whether the calling thread has less stack left than a limit: an eighth of the stack, but
/// at least 32 KiB (or half of the stack, if that's less) and at most 256 KiB.
///
/// False if the bounds of the stack are unknown, or if the code runs on another stack, such as a
/// fiber's. The first call on a thread determines the bounds; later calls compare addresses.
bool registry_stack_is_low(void);

/// Adds `change` to the number of nested diagnostic handlers on this thread. Returns the sum.
int registry_thread_add_diagnostics(int change);

/// Returns whether the calling code runs on the given serial executor.
///
/// On Apple systems, the main thread and the main queue always count as the main executor. Without
/// a Swift runtime that can answer, the main thread counts as the main executor on Linux, too, and
/// the result is false in all other cases. On Linux, the result is also false for a plain block
/// that runs on the main queue after an asynchronous `main` has suspended.
///
/// \param identity The first word of Swift's `UnownedSerialExecutor`.
/// \param implementation The second word.
/// \param is_main True for the main actor's executor.
bool registry_executor_is_current(uintptr_t identity, uintptr_t implementation, bool is_main);

/// Returns the identity of the serial executor that runs the current code, or zero if the Swift
/// runtime doesn't know the executor. Outside of tasks, it doesn't know the main executor.
uintptr_t registry_executor_current(void);

REGISTRY_END_

#endif
