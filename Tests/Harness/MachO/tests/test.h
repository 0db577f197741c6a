// The functions for writing cases. Each case runs in a separate process, so it begins without
// images.

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

/// The object formats that a case supports.
typedef enum formats { BOTH, MACH_O_ONLY } formats;

typedef struct test_case {
  /// The name that selects the case on the command line.
  const char *name;
  /// The statement that is true if the case passes.
  const char *sentence;
  formats formats;
  void (*run)(void);
} test_case;

extern const test_case image_cases[], record_cases[], close_cases[], library_cases[], loading_cases[],
    executor_cases[], dyld_cases[];

// MARK: The current test

/// The format, and the folder with its images.
extern const platform *on;
extern const char *folder;

/// Reports a failure with its location and reason, and continues.
__attribute__((format(printf, 4, 5))) void fail(const char *file, int line, const char *condition, const char *format, ...);

/// Ends the process after a failure that makes the rest of the case meaningless.
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

/// Returns the path of a library in the folder.
///
/// For `few`, this is `libfew` with the format's suffix. The result is valid during the thread's
/// next three calls.
const char *library_path(const char *name);

/// Opens a library, or ends the case if that fails.
void *open_library(const char *name);

/// Opens the image at a path, or ends the case if that fails.
void *open_path(const char *path);

void close_library(void *image);

/// Returns a function or variable of an image, or ends the case if there is none.
void *symbol_of(void *image, const char *name);

/// Opens RegistryC and returns its functions.
///
/// `registry_library` returns its image.
registry_functions open_registry(void);
void *registry_library(void);

// MARK: Scans

typedef struct seen_record {
  uintptr_t address;
  uint32_t kind;
  registry_accessor accessor;
  /// The JSON in the snapshot.
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
  /// The number of copies of the library that have a record in the image.
  size_t library_count;
  seen_problem *problems;
  size_t problem_count;
} seen_image;

/// A snapshot and the records that were found in it.
typedef struct seen {
  registry_functions by;
  registry_snapshot *snapshot;
  seen_image *images;
  size_t count;
} seen;

/// Takes a snapshot and walks through its records, or ends the case if there is no memory.
///
/// RegistryC's own image is left out.
seen look(const registry_functions *by, uint64_t after);
void forget(seen *it);

/// Returns the image with a path, or null if the snapshot does not have it.
const seen_image *image_in(const seen *it, const char *path);

/// Checks that an image's records have exactly these texts as their JSON, in this order.
void check_records(const seen_image *image, const char *const *expected, size_t count);

/// Loads files, prints the records and problems in each, and returns the exit status.
int print_records(int count, char **files);

/// The JSON of the records in few.c.
extern const char *const few_records[];
enum { FEW_COUNT = 6 };

/// Returns the highest serial in a scan, or zero if there are no images.
uint64_t last_serial(const seen *it);

#endif
