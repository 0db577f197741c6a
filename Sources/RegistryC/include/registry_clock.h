// The time that has passed, for time limits: the standard library's own clocks need newer systems than we support.

#ifndef REGISTRY_CLOCK_H
#define REGISTRY_CLOCK_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Nanoseconds since some moment in the past, the same one for the whole process. Never goes back; has nothing to do with the time of day.
uint64_t registry_now(void);

#ifdef __cplusplus
}
#endif

#endif
