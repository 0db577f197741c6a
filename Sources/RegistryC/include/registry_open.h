// Opening images at run time, and closing them again.

#ifndef REGISTRY_OPEN_H
#define REGISTRY_OPEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Opens an image with everything bound and its symbols its own (`RTLD_NOW | RTLD_LOCAL`); an image that is open already
/// is opened once more, with the same handle. Null when that fails: the loader's words are in `problem` then, NUL-terminated
/// and cut to `size`. Runs the image's initialisers. Must not be called from an image callback.
void *registry_open(const char *path, char *problem, size_t size);

/// Closes what was opened, once. The loader unmaps the image when nothing else needs it. False when it refuses.
bool registry_close(void *handle);

/// Where the image behind a handle is loaded: what `registry_image.base` says of it. Zero when that cannot be found out.
uintptr_t registry_open_base(void *handle);

/// Says of libraries which of them an image names among those it needs, and leaves the others as they are. All by where
/// they are loaded, the libraries ascending. The image must stay loaded meanwhile, the libraries need not. On Mach-O it is
/// asked of libraries with records only. One pass over the images, however many libraries there are.
void registry_open_needs(uintptr_t image, const uintptr_t *libraries, size_t count, bool *is_needed);

/// Keeps every loaded image that holds Swift mapped until the process ends, as `registry_image_pin` does: also those
/// without a record of ours. To be called after an image was opened, before anything is closed.
void registry_pin_swift(void);

/// How often `registry_withdraw` was called. One load.
uint64_t registry_withdrawals(void);

/// Says that records were withdrawn, or are there again, though no image went or came.
void registry_withdraw(void);

#ifdef __cplusplus
}
#endif

#endif
