// Mach-O only: the code that counts as the main actor's, with and without a Swift runtime that
// provides the answer.

#define _GNU_SOURCE

#include "test.h"

#include "dyld.h"

#include <pthread.h>

#define FUNCTION(name) ((__typeof__(&name))symbol_of(registry_library(), #name))

typedef struct situation {
  const char *what;
  bool on_main_thread;
  /// The label of the queue whose block runs, or null for none.
  const char *queue;
  /// The executor whose job runs, according to the runtime.
  uintptr_t current;
  bool with_runtime;
  bool without_runtime;
} situation;

enum { MAIN = 8, OTHER = 16 };

/// A string that equals the main queue's label at another address, as a program's queue may have.
static char same_text[] = "com.apple.main-thread";

static const situation situations[] = {
    {"the main thread", true, NULL, 0, true, true},
    {"the main thread in a task of the main actor", true, dyld_main_queue, MAIN, true, true},
    {"the main thread in a job of another executor", true, NULL, OTHER, true, true},
    {"another thread", false, NULL, 0, false, false},
    {"another thread in a task of an actor", false, "queue", OTHER, false, false},
    {"another thread in a task of the main actor", false, NULL, MAIN, true, false},
    {"a worker thread of the main queue in a task of the main actor", false, dyld_main_queue, MAIN, true, true},
    {"a worker thread of the main queue in a plain block", false, dyld_main_queue, 0, true, true},
    {"a queue with a label of the same text", false, same_text, 0, false, false},
};
enum { SITUATION_COUNT = sizeof situations / sizeof situations[0] };

static void *runtime;

static void try_situation(const situation *one) {
  bool (*is_current)(uintptr_t, uintptr_t, bool) = FUNCTION(registry_executor_is_current);
  dyld_enter_queue(one->queue);
  if (runtime) *(uintptr_t *)symbol_of(runtime, "runtime_current") = one->current;
  CHECK(is_current(MAIN - 1, 1, true) == (runtime ? one->with_runtime : one->without_runtime), "%s, the main executor",
        one->what);
  CHECK(is_current(OTHER, 0, false) == (runtime && one->current == OTHER), "%s, an actor", one->what);
  dyld_enter_queue(NULL);
}

static void *try_elsewhere(void *unused) {
  for (size_t index = 0; index < SITUATION_COUNT; ++index) {
    if (!situations[index].on_main_thread) try_situation(&situations[index]);
  }
  return unused;
}

static void try_all(void) {
  (void)open_registry();
  for (size_t index = 0; index < SITUATION_COUNT; ++index) {
    if (situations[index].on_main_thread) try_situation(&situations[index]);
  }
  pthread_t thread;
  pthread_create(&thread, NULL, try_elsewhere, NULL);
  pthread_join(thread, NULL);
}

static void without_runtime(void) { try_all(); }

static void with_runtime(void) {
  // The runtime is loaded before RegistryC, whose weak reference is bound when it is loaded.
  runtime = open_library("swift_runtime");
  try_all();
  CHECK(*(int *)symbol_of(runtime, "runtime_calls") > 0, "the runtime is asked");
  CHECK(*(uint64_t *)symbol_of(runtime, "runtime_flags") == 0x10, "and may not crash to say no");
}

const test_case executor_cases[] = {
    {"executor-old", "without the runtime's function, the main thread and the main queue are the main executor",
     MACH_O_ONLY, without_runtime},
    {"executor-new", "with the runtime's function, so are threads that run a task of the main actor", MACH_O_ONLY, with_runtime},
    {0},
};
