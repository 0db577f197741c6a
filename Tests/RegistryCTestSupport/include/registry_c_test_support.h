// The records are what this target is for. The first functions make a test refer to their object files.

#ifndef REGISTRY_C_TEST_SUPPORT_H
#define REGISTRY_C_TEST_SUPPORT_H

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

/// Called by LeakSanitizer, when it is there.
const char *__lsan_default_suppressions(void);

#ifdef __cplusplus
}
#endif

#endif
