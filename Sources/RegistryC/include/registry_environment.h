// Environment variables.

#ifndef REGISTRY_ENVIRONMENT_H
#define REGISTRY_ENVIRONMENT_H

#include <stdlib.h>

/// Returns the value of an environment variable, or null. The value is valid until the variable is
/// changed, so copy it immediately.
static inline const char *registry_environment(const char *name) { return getenv(name); }

#endif
