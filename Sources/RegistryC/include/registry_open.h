// Functions that open and close images at run time.

#ifndef REGISTRY_OPEN_H
#define REGISTRY_OPEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Marks the code between two calls as code that opens an image, so it can wait until the
/// constructors that other threads run have finished. Calls can be nested.
void registry_open_begin(void);
void registry_open_end(void);

/// Opens an image with all symbols bound and private (`RTLD_NOW | RTLD_LOCAL`). An image that is
/// open already is opened once more, with the same handle. If that fails, returns null and copies
/// the message of the loader to `problem`, NUL-terminated and truncated to `size`. Runs the
/// initializers of the image. Do not call it from an image callback.
void *registry_open(const char *path, char *problem, size_t size);

/// Closes an image once. The loader unmaps the image if nothing else needs it. Returns false if the
/// loader refuses.
bool registry_close(void *handle);

/// Returns the address of the image behind a handle, as in `registry_image.base`, or zero if it
/// cannot be determined.
uintptr_t registry_open_base(void *handle);

/// Determines which libraries an image names among those it needs, and does not change the entries
/// of the others. Images are identified by their address; the libraries are ascending. The image
/// must stay loaded in the meantime, but the libraries need not. On Mach-O, libraries must have
/// records. One pass over the images suffices for any number of libraries.
void registry_open_needs(uintptr_t image, const uintptr_t *libraries, size_t count, bool *is_needed);

/// Keeps every loaded image that contains Swift mapped until the process ends, like
/// `registry_image_pin`, also those without a record of ours. Call it after opening an image and
/// before closing any.
void registry_pin_swift(void);

/// Returns the number of calls of `registry_withdraw`. One load.
uint64_t registry_withdrawals(void);

/// Announces that records were withdrawn or restored, although no image was loaded or unloaded.
void registry_withdraw(void);

#ifdef __cplusplus
}
#endif

#endif
