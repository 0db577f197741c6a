// The variables of each thread, the bounds of its stack, and the current code's executor. Swift has
// no thread-local storage.

#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE
#endif

#include "registry_sync.h"

#include <stddef.h>

#if defined(__APPLE__)
#include <dispatch/dispatch.h>
#include <pthread.h>
#elif defined(__linux__)
#include <pthread.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

/// `MustNotAssert`: return false instead of crashing. Older runtimes ignore the bit, and crash only
/// with `Assert` (8).
enum { MUST_NOT_ASSERT = 0x10 };

#if defined(__has_attribute)
#if __has_attribute(swiftcall)
/// From the runtime's Concurrency.h: `bool (SerialExecutorRef, uint64_t)` in Swift's calling
/// convention, which passes a struct of two words as two words. Weak, because older systems lack it
/// and programs in plain C link no Swift runtime.
__attribute__((swiftcall)) extern bool swift_task_isCurrentExecutorWithFlags(
    void *identity, uintptr_t implementation, uint64_t flags) __attribute__((weak));
typedef struct executor_reference {
  void *identity;
  uintptr_t implementation;
} executor_reference;

/// From the same header: `SerialExecutorRef ()`. Every version of the runtime has it; weak for
/// programs in plain C.
__attribute__((swiftcall)) extern executor_reference swift_task_getCurrentExecutor(void) __attribute__((weak));
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

/// Both bounds stay zero if they are unknown.
static void find_stack(stack *own) {
  own->is_known = true;
#if defined(__APPLE__)
  own->high = (uintptr_t)pthread_get_stackaddr_np(pthread_self());
  own->low = own->high - pthread_get_stacksize_np(pthread_self());
#elif defined(__linux__)
  pthread_attr_t attributes;
  void *low;
  size_t size;
  // The main thread's stack begins at the program's file name and can grow to a limit. glibc's
  // pthread_getattr_np reads a file, and musl's finds only the part mapped so far.
  if (on_main_thread()) {
    struct rlimit limit;
    uintptr_t high = getauxval(AT_EXECFN), here = (uintptr_t)__builtin_frame_address(0);
    if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= high) return;
    own->high = high;
    own->low = high - (uintptr_t)limit.rlim_cur;
    if (here >= own->low && here < high) return;
    // This process was forked by another thread, whose stack is elsewhere.
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
  // Creating the error that the caller then throws needs some stack, too.
  if (reserve < 32 * 1024) reserve = 32 * 1024;
  if (reserve > (own->high - own->low) / 2) reserve = (own->high - own->low) / 2;
  return here >= own->low && here - own->low < reserve;
}

// MARK: - The executor
//
// `swift_task_isCurrentExecutorWithFlags` was added in Swift 6.0 (macOS 15, iOS 18). The older
// `swift_task_isCurrentExecutor` would crash instead of returning false, so on older systems, only
// the main executor is recognized, by its thread or queue.

#if defined(__APPLE__)
/// Returns whether the current dispatch queue is the main queue, on any thread.
///
/// After `dispatch_main`, which an asynchronous `main` without a run loop calls, the main thread
/// has exited and the main queue runs on worker threads.
///
/// Labels are compared as pointers. Each queue returns its own pointer, unless a program creates a
/// queue with the main queue's label pointer. A queue that targets the main queue has another label
/// and does not count.
static bool on_main_queue(void) {
  return dispatch_queue_get_label(DISPATCH_CURRENT_QUEUE_LABEL) == dispatch_queue_get_label(dispatch_get_main_queue());
}
#endif

// With `MUST_NOT_ASSERT`, the runtime on Apple systems answers as follows for the main executor
// (`Actor.cpp` in Swift's sources):
//
// - In a task or a job of an executor: true if that executor is the main executor, on any thread.
//   On the main thread, the answer can be false for another executor's job.
// - Outside of tasks: true on the main thread, and false on other threads, even for a plain block
//   on the main queue. Only an assertion recognizes the block, as `dispatch_assert_queue` does in
//   `MainActor.assumeIsolated`.
//
// Check the main thread and the main queue first. Neither check depends on the OS version, and no
// other main-actor code can run at the same time as code on that thread or queue.
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
