// This target exists for its records. A test calls the first functions so that their object files
// are linked.

#ifndef REGISTRY_C_TEST_SUPPORT_H
#define REGISTRY_C_TEST_SUPPORT_H

#include "registry_images.h"
#include "registry_table.h"
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Return the number of records that each file exports.
int registry_test_exported_by_c(void);
int registry_test_exported_by_cpp(void);
int registry_test_exported_by_objective_c(void);

/// Return the base address and the path of the image of this target, as the loader reports them.
const void *registry_test_base(void);
const char *registry_test_path(void);

/// Opens and closes a library repeatedly while another thread takes snapshots.
///
/// Returns the number of snapshots in which the accessor of the library's first record was not an
/// address yet, or a negative number if the library cannot be opened.
int registry_test_open_and_look(const char *path, int times);

/// Returns a snapshot of images that have the given serials and are added in this order.
///
/// The first image has a section with the given bytes. Returns null if there was no room for the
/// images that had been counted.
registry_snapshot *registry_test_snapshot(const uint64_t *serials, size_t count, const void *bytes, size_t size);

/// Returns whether a block accepts no more images and no more characters than it has room for.
bool registry_test_block_is_bounded(void);

/// Returns whether a range of bytes contains the name of a record.
bool registry_test_holds_records(const void *bytes, size_t size);

/// Returns the hash that distinguishes two loads of an image.
uint64_t registry_test_hash(const void *bytes, size_t size);

/// Return the results that C code gets from the functions in the header of the table.
const void *registry_test_find(const registry_cell *cell, const void *key);
registry_cell *registry_test_shared(void);

/// Returns whether the calling thread is opening an image.
bool registry_test_is_opening(void);

/// Returns whether the program contains AddressSanitizer or ThreadSanitizer.
///
/// Their runtimes trust and read the notes of images.
bool registry_test_is_sanitized(void);

/// Returns whether the program contains ThreadSanitizer.
bool registry_test_has_thread_sanitizer(void);

/// Returns the leaks that LeakSanitizer, if it is present, ignores.
const char *__lsan_default_suppressions(void);

#ifdef __cplusplus
}
#endif

#endif
