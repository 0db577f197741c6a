// The rest of RegistryC, which uses each platform's C library: locks, turns, the word of each
// thread, the table, the clock, and the log.

#define _GNU_SOURCE

#include "test.h"

#include "dyld.h"

#include <pthread.h>
#include <sched.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define FUNCTION(name) ((__typeof__(&name))symbol_of(registry_library(), #name))

// MARK: Locks

typedef struct shared {
  void (*acquire)(registry_lock *);
  void (*release)(registry_lock *);
  registry_lock *lock;
  unsigned count;
} shared;

enum { THREADS = 4, TURNS = 500 };

static void *count_up(void *context) {
  shared *with = context;
  for (int turn = 0; turn < TURNS; ++turn) {
    with->acquire(with->lock);
    with->count = with->count + 1;
    with->release(with->lock);
  }
  return NULL;
}

static void locks(void) {
  (void)open_registry();
  shared with = {FUNCTION(registry_lock_acquire), FUNCTION(registry_lock_release), FUNCTION(registry_lock_create)(), 0};
  REQUIRE(with.lock, "there is a lock");
  pthread_t threads[THREADS];
  for (int index = 0; index < THREADS; ++index) pthread_create(&threads[index], NULL, count_up, &with);
  for (int index = 0; index < THREADS; ++index) pthread_join(threads[index], NULL);
  CHECK(with.count == THREADS * TURNS, "%u", with.count);
  FUNCTION(registry_lock_destroy)(with.lock);
  FUNCTION(registry_lock_destroy)(NULL);
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

static void *wait_often(void *unused) {
  for (int round = 0; round < TURNS; ++round) wait_for_turn(turn);
  return unused;
}

static void turns(void) {
  (void)open_registry();
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
  for (int index = 0; index < THREADS; ++index) pthread_create(&threads[index], NULL, wait_for_result, NULL);
  while (__atomic_load_n(&waiting, __ATOMIC_SEQ_CST) < THREADS) sched_yield();
  usleep(10000);
  CHECK(__atomic_load_n(&done_waiting, __ATOMIC_SEQ_CST) == 0, "no wait ends before the turn");
  __atomic_store_n(&has_result, true, __ATOMIC_SEQ_CST);
  end(turn);
  for (int index = 0; index < THREADS; ++index) pthread_join(threads[index], NULL);
  wait_for_turn(turn);

  // Every wait ends, regardless of when it begins and whether another turn begins meanwhile.
  for (int index = 0; index < THREADS; ++index) pthread_create(&threads[index], NULL, wait_often, NULL);
  for (int round = 0; round < TURNS; ++round) {
    begin(turn);
    sched_yield();
    end(turn);
  }
  for (int index = 0; index < THREADS; ++index) pthread_join(threads[index], NULL);
  FUNCTION(registry_turn_destroy)(turn);
  FUNCTION(registry_turn_destroy)(NULL);
  CHECK(dyld_calls_under_mutex() == 0, "%u calls with a lock held", dyld_calls_under_mutex());
}

// MARK: Threads

static void *own_word(void *context) {
  void *(*word)(void) = FUNCTION(registry_thread_word);
  void (*set)(void *) = FUNCTION(registry_thread_set_word);
  CHECK(word() == NULL, "a thread begins without a word");
  set(context);
  CHECK(word() == context, "it has its own");
  return NULL;
}

static void thread_word(void) {
  (void)open_registry();
  int here = 0;
  FUNCTION(registry_thread_set_word)(&here);
  pthread_t threads[THREADS];
  for (int index = 0; index < THREADS; ++index) pthread_create(&threads[index], NULL, own_word, &threads[index]);
  for (int index = 0; index < THREADS; ++index) pthread_join(threads[index], NULL);
  CHECK(FUNCTION(registry_thread_word)() == &here, "and none has another's");
}

static void *ask_executor(void *context) {
  bool (*is_current)(uintptr_t, uintptr_t, bool) = FUNCTION(registry_executor_is_current);
  CHECK(!is_current(0, 0, true), "another thread is not the main executor");
  CHECK(!is_current(1, 0, false), "nor any other");
  return context;
}

static void executor(void) {
  (void)open_registry();
  // No Swift runtime is linked, so the weak reference to it is null.
  CHECK(FUNCTION(registry_executor_is_current)(0, 0, true), "the main thread is the main executor");
  CHECK(!FUNCTION(registry_executor_is_current)(1, 0, false), "and no other");
  pthread_t thread;
  pthread_create(&thread, NULL, ask_executor, NULL);
  pthread_join(thread, NULL);
}

// MARK: The table

static void table(void) {
  (void)open_registry();
  registry_cell *cell = FUNCTION(registry_cell_create)();
  REQUIRE(cell && (uintptr_t)cell % 64 == 0, "a cell has a cache line of its own");
  bool (*publish)(registry_cell *, const void *, const void *) = FUNCTION(registry_publish);
  static char keys[1000 * 16];
  for (int index = 0; index < 1000; ++index) {
    CHECK(!registry_find(cell, keys + index * 16), "nothing before it is published");
    CHECK(publish(cell, keys + index * 16, &keys[index]), "published");
  }
  CHECK(publish(cell, keys, NULL), "withdrawn");
  CHECK(!registry_find(cell, keys), "gone");
  for (int index = 1; index < 1000; ++index) {
    CHECK(registry_find(cell, keys + index * 16) == &keys[index], "key %d", index);
  }
  FUNCTION(registry_cell_destroy)(cell);
}

// MARK: The clock

static void passing_time(void) {
  (void)open_registry();
  uint64_t (*now)(void) = FUNCTION(registry_now);
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  uint64_t last = (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
  for (int turn = 0; turn < 1000; ++turn) {
    uint64_t next = now();
    CHECK(next >= last, "it never goes back, and is the platform's");
    last = next;
  }
}

// MARK: The log

static void log_text(void) {
  (void)open_registry();
  int ends[2];
  REQUIRE(pipe(ends) == 0, "a pipe");
  int before = dup(STDERR_FILENO);
  dup2(ends[1], STDERR_FILENO);
  void (*write_log)(const char *, size_t) = (void (*)(const char *, size_t))symbol_of(registry_library(), "registry_log");
  write_log("a line\n", 7);
  dup2(before, STDERR_FILENO);
  char text[16] = {0};
  CHECK(read(ends[0], text, sizeof text - 1) == 7 && strcmp(text, "a line\n") == 0, "%s", text);
  close(before);
  close(ends[0]);
  close(ends[1]);
}

const test_case library_cases[] = {
    {"locks", "a lock excludes other threads, with the platform's mutexes", BOTH, locks},
    {"turns", "a wait for another thread's turn ends with the turn, and not before", BOTH, turns},
    {"thread-word", "every thread has its own word", BOTH, thread_word},
    {"executor", "without a Swift runtime, the main thread is the main executor and no other is known", BOTH, executor},
    {"table", "the table grows, finds values, and removes them", BOTH, table},
    {"clock", "the clock is the platform's monotonic one", BOTH, passing_time},
    {"log", "the log writes to the standard error", BOTH, log_text},
    {0},
};
