// The log, the clock, and the environment of the process. Those of the standard library require
// newer systems than we support, or Foundation.

#ifndef REGISTRY_PROCESS_H
#define REGISTRY_PROCESS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Writes `size` bytes to standard error, and drops bytes that cannot be written. Write a line in
/// one call, so that the lines of several threads do not mix.
void registry_log(const char *bytes, size_t size);

/// Returns the nanoseconds since a moment in the past that is fixed for the process. The value
/// never decreases, and is unrelated to the time of day.
uint64_t registry_now(void);

/// Returns the value of an environment variable, or null. The value is valid until the variable is
/// changed, so copy it immediately.
const char *registry_environment(const char *name);

#ifdef __cplusplus
}
#endif

#endif
