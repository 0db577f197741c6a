// The elapsed time, for time limits. The clocks of the standard library require newer systems than
// we support.

#ifndef REGISTRY_CLOCK_H
#define REGISTRY_CLOCK_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Returns the nanoseconds since a moment in the past that is fixed for the process. The value
/// never decreases, and is unrelated to the time of day.
uint64_t registry_now(void);

#ifdef __cplusplus
}
#endif

#endif
