// Queries whether the Swift runtime runs the current code on a given executor.
//
// `swift_task_isCurrentExecutorWithFlags` exists since Swift 6.0 (macOS 15, iOS 18). The older
// `swift_task_isCurrentExecutor` would crash instead of returning false. Without the newer
// function, only the main executor can be recognized, by its thread.

#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "registry_sync.h"

#if defined(__APPLE__)
#include <dispatch/dispatch.h>
#include <pthread.h>
#elif defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

#if defined(__APPLE__)
#define REGISTRY_WEAK __attribute__((weak_import))
#else
#define REGISTRY_WEAK __attribute__((weak))
#endif

/// `MustNotAssert`: never crash instead of returning false. Older runtimes do not know the bit and
/// do not crash without `Assert` (8), which is not passed.
enum { MUST_NOT_ASSERT = 0x10 };

#if defined(__has_attribute)
#if __has_attribute(swiftcall)
/// From the runtime's Concurrency.h: `bool (SerialExecutorRef, uint64_t)` in Swift's calling
/// convention, which passes a struct of two words as two words. Weak, because older systems lack it
/// and a program in C alone links no Swift runtime.
__attribute__((swiftcall)) extern bool swift_task_isCurrentExecutorWithFlags(
    void *identity, uintptr_t implementation, uint64_t flags) REGISTRY_WEAK;
/// The two words of a `SerialExecutorRef`.
typedef struct executor_reference {
  void *identity;
  uintptr_t implementation;
} executor_reference;

/// From the same header: `SerialExecutorRef ()`. It is as old as the runtime; weak for programs in
/// C alone.
__attribute__((swiftcall)) extern executor_reference swift_task_getCurrentExecutor(void) REGISTRY_WEAK;
#define REGISTRY_ASKS_RUNTIME 1
#endif
#endif

#include "own_copy.h"

static bool on_main_thread(void) {
#if defined(__APPLE__)
  return pthread_main_np() != 0;
#elif defined(__linux__)
  return syscall(SYS_gettid) == getpid();
#else
  return false;
#endif
}

#if defined(__APPLE__)
/// Returns whether the current dispatch queue is the main queue, on any thread.
///
/// After `dispatch_main`, the main thread has exited and the main queue runs on worker threads. An
/// asynchronous `main` without a run loop calls that function.
///
/// The labels are compared as pointers. Each queue returns a pointer of its own, unless a program
/// creates a queue with the pointer that the main queue returned. A queue that targets the main
/// queue has another label and does not count.
static bool on_main_queue(void) {
  return dispatch_queue_get_label(DISPATCH_CURRENT_QUEUE_LABEL) == dispatch_queue_get_label(dispatch_get_main_queue());
}
#endif

// For the main executor on Apple systems, the runtime answers as follows with these flags
// (`Actor.cpp` in Swift's sources):
//
// - In a task, or in a job of an executor: true if the executor that runs the job is the main
//   executor. The thread does not matter. On the main thread the answer can be false, for a job of
//   another executor.
// - Outside of tasks: true on the main thread. Elsewhere false, also for a plain block on the main
//   queue: the runtime would have to assert to find out, as `MainActor.assumeIsolated` does with
//   `dispatch_assert_queue`.
//
// So the main thread and the main queue are checked first. Both exclude all other code of the main
// actor, and neither depends on the system's version.
bool registry_executor_is_current(uintptr_t identity, uintptr_t implementation, bool is_main) {
#if defined(__APPLE__)
  if (is_main && (on_main_thread() || on_main_queue())) return true;
#endif
#if defined(REGISTRY_ASKS_RUNTIME)
  if (swift_task_isCurrentExecutorWithFlags) {
    return swift_task_isCurrentExecutorWithFlags((void *)identity, implementation, MUST_NOT_ASSERT);
  }
#endif
  (void)identity;
  (void)implementation;
  return is_main && on_main_thread();
}

uintptr_t registry_executor_current(void) {
#if defined(REGISTRY_ASKS_RUNTIME)
  if (swift_task_getCurrentExecutor) return (uintptr_t)swift_task_getCurrentExecutor().identity;
#endif
  return 0;
}
