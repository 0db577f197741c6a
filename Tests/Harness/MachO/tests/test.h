// The functions for writing cases. Each case runs in a separate process, so it begins without
// images.

#ifndef TEST_H
#define TEST_H

#include "registry_images.h"
#include "registry_record.h"
#include "registry_sync.h"

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

extern const test_case image_cases[], record_cases[], close_cases[], thread_cases[], loading_cases[], dyld_cases[];

// MARK: The object format

/// An object format and its loader, as the cases use them.
typedef struct platform {
  /// The suffix of the file names of libraries.
  const char *suffix;
  bool is_mach_o;
  /// Opens an image, or returns null on failure.
  ///
  /// `problem` returns the reason, even after `close` returned false.
  void *(*open)(const char *path);
  bool (*close)(void *image);
  void *(*symbol)(void *image, const char *name);
  const char *(*problem)(void);
  /// Returns the address at which an image is loaded, as a snapshot of the registry has it.
  uintptr_t (*base)(void *image);
} platform;

extern const platform mach_o, elf;

/// The format, and the folder with its images.
extern const platform *on;
extern const char *folder;

// MARK: Checks

/// Reports a failure with its location and reason, and continues.
__attribute__((format(printf, 4, 5))) void fail(const char *file, int line, const char *condition, const char *format, ...);

/// Ends the process after a failure that makes the rest of the case meaningless.
__attribute__((noreturn)) void stop(void);

/// Returns the number of failures.
unsigned failure_count(void);

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

// MARK: Images

/// Returns the path of a library in the folder.
///
/// For `few`, this is `libfew` with the format's suffix. The result is valid during the thread's
/// next three calls.
const char *library_path(const char *name);

/// Opens a library or the image at a path, or ends the case if that fails.
void *open_library(const char *name);
void *open_path(const char *path);
void close_library(void *image);

/// Returns a function or variable of an image, or ends the case if there is none.
void *symbol_of(void *image, const char *name);

/// The image of RegistryC, which `open_registry` opens.
extern void *registry;
void open_registry(void);

/// A function of RegistryC, with its type.
#define FUNCTION(name) ((__typeof__(&name))symbol_of(registry, #name))

// MARK: Scans

typedef struct seen_record {
  uintptr_t address;
  uint32_t kind;
  registry_accessor accessor;
  /// The JSON in the snapshot.
  const char *json;
} seen_record;

typedef struct seen_image {
  uint64_t serial;
  uintptr_t base;
  const char *path;
  size_t section_count;
  seen_record *records;
  size_t record_count;
  /// The number of copies of the library that have a record in the image.
  size_t library_count;
  const char **problems;
  size_t problem_count;
} seen_image;

/// A snapshot and the records that were found in it.
typedef struct seen {
  registry_snapshot *snapshot;
  seen_image *images;
  size_t count;
} seen;

/// Takes a snapshot and walks through its records, or ends the case if there is no memory.
///
/// RegistryC's own image is left out.
seen look(uint64_t after);
void forget(seen *it);

/// Returns the number of images in a new snapshot.
size_t image_count(void);
/// Returns the current generation, and whether an address could be pinned.
uint64_t current_generation(void);
bool pin(const void *address);

/// Returns the image of a library, or null if the snapshot does not have it.
const seen_image *image_in(const seen *it, const char *name);

/// Checks that an image's records have exactly these texts as their JSON, in this order.
void check_records(const seen_image *image, const char *const *expected, size_t count);

/// Checks that libfew is in a scan with its records.
void check_few(const seen *it);
/// Takes a snapshot, and checks that libfew is in it with its records.
void find_few(void);

/// Checks that a library is in a scan with one record.
void check_record(const seen *it, const char *name, const char *json);

/// The JSON of the records in few.c.
extern const char *const few_records[];
enum { FEW_COUNT = 6 };

/// Returns the highest serial in a scan, or zero if there are no images.
uint64_t last_serial(const seen *it);

#endif
