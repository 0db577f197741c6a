// The records are what this target is for. The first functions make a test refer to their object files.

#ifndef REGISTRY_C_TEST_SUPPORT_H
#define REGISTRY_C_TEST_SUPPORT_H

#include "registry_images.h"
#include "registry_table.h"
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// How many records each file exports.
int registry_test_exported_by_c(void);
int registry_test_exported_by_cpp(void);
int registry_test_exported_by_objective_c(void);

/// Where the loader says that the image of this target begins, and the path it has for it.
const void *registry_test_base(void);
const char *registry_test_path(void);

/// Opens and closes a library so many times while another thread takes snapshots. How often one of these had the
/// library's first record with an accessor that was no address yet; negative when it cannot be opened.
int registry_test_open_and_look(const char *path, int times);

/// A snapshot of images of these serials, added in this order; the first has a range of these bytes. Null if there was
/// no room for what had been counted.
registry_snapshot *registry_test_snapshot(const uint64_t *serials, size_t count, const void *bytes, size_t size);

/// The hash by which two loads of an image are told apart.
/// Whether a block takes no more images and no more characters than it has room for.
bool registry_test_block_is_bounded(void);

bool registry_test_holds_records(const void *bytes, size_t size);

uint64_t registry_test_hash(const void *bytes, size_t size);

/// What the functions in the header of the table say to a file in C.
const void *registry_test_find(const registry_cell *cell, const void *key);
registry_cell *registry_test_shared(void);

/// Whether AddressSanitizer or ThreadSanitizer is in this program. Their run time believes notes and reads them.
bool registry_test_is_sanitized(void);

/// Called by LeakSanitizer, when it is there.
const char *__lsan_default_suppressions(void);

#ifdef __cplusplus
}
#endif

#endif
