// One line on standard error, written in one call so that lines of several threads do not mix.

#ifndef REGISTRY_LOG_H
#define REGISTRY_LOG_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Writes `size` bytes to standard error, and drops bytes that cannot be written.
void registry_log(const char *bytes, size_t size);

#ifdef __cplusplus
}
#endif

#endif
