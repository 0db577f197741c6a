// The rest of RegistryC, which runs on either platform's C library: locks, a word per thread, the table, the clock, the log.

#define _GNU_SOURCE

#include "test.h"

#include <pthread.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define FUNCTION(name) ((__typeof__(&name))symbol_of(registry_library(), #name))

// MARK: Locks

typedef struct shared {
  void (*acquire)(registry_lock *);
  void (*release)(registry_lock *);
  void (*wait)(registry_lock *);
  void (*broadcast)(registry_lock *);
  registry_lock *lock;
  unsigned count;
  unsigned turn;
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

/// Waits until the turn is odd, and makes it even.
static void *answer(void *context) {
  shared *with = context;
  for (int turn = 0; turn < TURNS; ++turn) {
    with->acquire(with->lock);
    while (with->turn % 2 == 0) with->wait(with->lock);
    ++with->turn;
    with->broadcast(with->lock);
    with->release(with->lock);
  }
  return NULL;
}

static void locks(void) {
  (void)open_registry();
  shared with = {
      FUNCTION(registry_lock_acquire),   FUNCTION(registry_lock_release), FUNCTION(registry_lock_wait),
      FUNCTION(registry_lock_broadcast), FUNCTION(registry_lock_create)(), 0, 0,
  };
  REQUIRE(with.lock, "there is a lock");
  pthread_t threads[THREADS];
  for (int index = 0; index < THREADS; ++index) pthread_create(&threads[index], NULL, count_up, &with);
  for (int index = 0; index < THREADS; ++index) pthread_join(threads[index], NULL);
  CHECK(with.count == THREADS * TURNS, "%u", with.count);

  pthread_create(&threads[0], NULL, answer, &with);
  for (int turn = 0; turn < TURNS; ++turn) {
    with.acquire(with.lock);
    while (with.turn % 2 == 1) with.wait(with.lock);
    ++with.turn;
    with.broadcast(with.lock);
    with.release(with.lock);
  }
  pthread_join(threads[0], NULL);
  CHECK(with.turn == 2 * TURNS, "%u", with.turn);
  FUNCTION(registry_lock_destroy)(with.lock);
  FUNCTION(registry_lock_destroy)(NULL);
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
    {"locks", "a lock excludes and a wait ends, on the platform's mutexes and conditions", BOTH, locks},
    {"thread-word", "every thread has its own word", BOTH, thread_word},
    {"executor", "without a Swift runtime, the main thread is the main executor and no other is known", BOTH, executor},
    {"table", "the table grows, finds and forgets", BOTH, table},
    {"clock", "the clock is the platform's monotonic one", BOTH, passing_time},
    {"log", "the log writes to the standard error", BOTH, log_text},
    {0},
};
