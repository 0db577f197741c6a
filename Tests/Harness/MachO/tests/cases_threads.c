// The parts of RegistryC whose code differs between the platforms' C libraries: turns, the word of
// each thread, and the code that counts as the main actor's. Tests/RegistryCTests test the rest.

#define _GNU_SOURCE

#include "test.h"

#include "dyld.h"

#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { THREADS = 4 };

/// Runs a function on several threads at the same time.
static void start_threads(pthread_t *threads, void *(*body)(void *)) {
  for (int index = 0; index < THREADS; ++index) pthread_create(&threads[index], NULL, body, NULL);
}

static void join_threads(pthread_t *threads) {
  for (int index = 0; index < THREADS; ++index) pthread_join(threads[index], NULL);
}

// MARK: Turns

static registry_turn *turn;
static void (*wait_for_turn)(registry_turn *);
static unsigned waiting, done_waiting;
static bool has_result;

static void *wait_for_result(void *unused) {
  __atomic_add_fetch(&waiting, 1, __ATOMIC_SEQ_CST);
  wait_for_turn(turn);
  CHECK(__atomic_load_n(&has_result, __ATOMIC_SEQ_CST), "the wait ends with the turn");
  __atomic_add_fetch(&done_waiting, 1, __ATOMIC_SEQ_CST);
  return unused;
}

static void turns(void) {
  open_registry();
  void (*begin)(registry_turn *) = FUNCTION(registry_turn_begin);
  void (*end)(registry_turn *) = FUNCTION(registry_turn_end);
  wait_for_turn = FUNCTION(registry_turn_wait);
  turn = FUNCTION(registry_turn_create)();
  REQUIRE(turn, "there is a turn");
  wait_for_turn(turn);
  begin(turn);
  CHECK(!on->is_mach_o || *(const uint32_t *)(const void *)turn == (uint32_t)syscall(SYS_gettid),
        "the lock says whose turn it is");
  pthread_t threads[THREADS];
  start_threads(threads, wait_for_result);
  while (__atomic_load_n(&waiting, __ATOMIC_SEQ_CST) < THREADS) sched_yield();
  usleep(10000);
  CHECK(__atomic_load_n(&done_waiting, __ATOMIC_SEQ_CST) == 0, "no wait ends before the turn");
  __atomic_store_n(&has_result, true, __ATOMIC_SEQ_CST);
  end(turn);
  join_threads(threads);
  FUNCTION(registry_turn_destroy)(turn);
  CHECK(dyld_calls_under_mutex() == 0, "%u calls with a lock held", dyld_calls_under_mutex());
}

// MARK: The word of each thread

static void *own_word(void *unused) {
  int here = 0;
  CHECK(FUNCTION(registry_thread_word)() == NULL, "a thread begins without a word");
  FUNCTION(registry_thread_set_word)(&here);
  CHECK(FUNCTION(registry_thread_word)() == &here, "it has its own");
  return unused;
}

static void thread_word(void) {
  open_registry();
  int here = 0;
  FUNCTION(registry_thread_set_word)(&here);
  pthread_t threads[THREADS];
  start_threads(threads, own_word);
  join_threads(threads);
  CHECK(FUNCTION(registry_thread_word)() == &here, "and none has another's");
}

// MARK: The main actor

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

static void *runtime;

static void try_situations(bool on_main_thread) {
  for (size_t index = 0; index < sizeof situations / sizeof situations[0]; ++index) {
    const situation *one = &situations[index];
    if (one->on_main_thread != on_main_thread) continue;
    bool (*is_current)(uintptr_t, uintptr_t, bool) = FUNCTION(registry_executor_is_current);
    dyld_enter_queue(one->queue);
    if (runtime) *(uintptr_t *)symbol_of(runtime, "runtime_current") = one->current;
    CHECK(is_current(MAIN - 1, 1, true) == (runtime ? one->with_runtime : one->without_runtime), "%s, the main executor",
          one->what);
    CHECK(is_current(OTHER, 0, false) == (runtime && one->current == OTHER), "%s, an actor", one->what);
    dyld_enter_queue(NULL);
  }
}

static void *try_elsewhere(void *unused) {
  try_situations(false);
  return unused;
}

static void without_runtime(void) {
  open_registry();
  try_situations(true);
  pthread_t thread;
  pthread_create(&thread, NULL, try_elsewhere, NULL);
  pthread_join(thread, NULL);
}

static void with_runtime(void) {
  // The runtime is loaded before RegistryC, whose weak reference is bound when it is loaded.
  runtime = open_library("swift_runtime");
  without_runtime();
  CHECK(*(int *)symbol_of(runtime, "runtime_calls") > 0, "the runtime is asked");
  CHECK(*(uint64_t *)symbol_of(runtime, "runtime_flags") == 0x10, "and may not crash to say no");
}

const test_case thread_cases[] = {
    {"turns", "a wait for another thread's turn ends with the turn, and not before", BOTH, turns},
    {"thread-word", "every thread has its own word", BOTH, thread_word},
    {"executor-old", "without the runtime's function, the main thread and the main queue are the main executor",
     MACH_O_ONLY, without_runtime},
    {"executor-new", "with the runtime's function, so are threads that run a task of the main actor", MACH_O_ONLY, with_runtime},
    {0},
};
