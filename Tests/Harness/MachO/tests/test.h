// What cases are written with. Each runs in a process of its own, so that it begins without images.

#ifndef TEST_H
#define TEST_H

#include "copy.h"
#include "platform.h"
#include "registry_clock.h"
#include "registry_images.h"
#include "registry_open.h"
#include "registry_record.h"
#include "registry_sync.h"
#include "registry_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// The object formats a case is for.
typedef enum formats { BOTH, MACH_O_ONLY } formats;

typedef struct test_case {
  /// To be asked for by.
  const char *name;
  /// What holds when it passes.
  const char *sentence;
  formats formats;
  void (*run)(void);
} test_case;

extern const test_case image_cases[], record_cases[], close_cases[], library_cases[], loading_cases[],
    executor_cases[], dyld_cases[];

// MARK: This process's test

/// The format, and the folder with its images.
extern const platform *on;
extern const char *folder;

/// Fails the case, says where and why, and goes on.
__attribute__((format(printf, 4, 5))) void fail(const char *file, int line, const char *condition, const char *format, ...);

/// The same and ends the process: what follows would make no sense.
__attribute__((noreturn)) void stop(void);

#define CHECK(condition, ...)                                                                                \
  do {                                                                                                       \
    if (!(condition)) fail(__FILE__, __LINE__, #condition, __VA_ARGS__);                                 \
  } while (0)

#define REQUIRE(condition, ...)                                                                              \
  do {                                                                                                       \
    if (!(condition)) {                                                                                      \
      fail(__FILE__, __LINE__, #condition, __VA_ARGS__);                                                 \
      stop();                                                                                                \
    }                                                                                                        \
  } while (0)

/// The path of a file in the folder: `few` is `libfew` with the format's suffix. Good for a thread's four last calls.
const char *library_path(const char *name);

/// Opens a library; the case ends when that fails.
void *open_library(const char *name);

/// Opens what is at a path.
void *open_path(const char *path);

void close_library(void *image);

/// A function or variable of an image; the case ends when there is none.
void *symbol_of(void *image, const char *name);

/// Opens RegistryC and returns its functions; the image can be had with `registry_image_of`.
registry_functions open_registry(void);
void *registry_library(void);

// MARK: Looking

typedef struct seen_record {
  uintptr_t address;
  uint32_t kind;
  registry_accessor accessor;
  /// In the snapshot.
  const char *json;
} seen_record;

typedef struct seen_problem {
  registry_step step;
  const char *text;
} seen_problem;

typedef struct seen_image {
  uint64_t serial;
  uintptr_t base;
  const char *path;
  size_t section_count;
  seen_record *records;
  size_t record_count;
  /// How many copies of the library say that they are in it.
  size_t library_count;
  seen_problem *problems;
  size_t problem_count;
} seen_image;

/// A snapshot, walked.
typedef struct seen {
  registry_functions by;
  registry_snapshot *snapshot;
  seen_image *images;
  size_t count;
} seen;

/// Takes a snapshot and walks it, without images that have nothing but the library; the case ends when there is no memory.
seen look(const registry_functions *by, uint64_t after);
void forget(seen *it);

/// The image with a path; null when it is not there.
const seen_image *image_in(const seen *it, const char *path);

/// Whether an image has exactly these texts as its records' JSON, in this order. Says what differs.
void check_records(const seen_image *image, const char *const *expected, size_t count);

/// Loads files and prints the records and problems that the library finds in each; the exit status.
int print_records(int count, char **files);

/// The texts of few.c's records.
extern const char *const few_records[];
enum { FEW_COUNT = 6 };

/// The highest serial in a look; zero without images.
uint64_t last_serial(const seen *it);

#endif
