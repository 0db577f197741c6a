// The output, the clock, and the environment of the process. The Swift counterparts require
// Foundation or newer systems than we support.

#ifndef REGISTRY_PROCESS_H
#define REGISTRY_PROCESS_H

#include "registry_declarations.h"

REGISTRY_BEGIN_

/// Writes `size` bytes to standard error, and drops bytes that cannot be written. Write each line
/// in one call, so that lines from different threads do not mix.
void registry_log(const char *bytes, size_t size);

/// Flushes standard output or, unless a thread is reading standard input, all streams. This waits
/// for threads that use a stream. During a wait for all streams, no other thread can open one.
void registry_flush_output(bool all);

/// Returns the nanoseconds since a fixed moment in the past. The value never decreases, and is
/// unrelated to the time of day.
uint64_t registry_now(void);

/// Returns the value of an environment variable, or null. Copy it immediately, because it's valid
/// only until the variable is changed.
const char *registry_environment(const char *name);

REGISTRY_END_

#endif
