// Environment variables.

#ifndef REGISTRY_ENVIRONMENT_H
#define REGISTRY_ENVIRONMENT_H

#ifdef __cplusplus
extern "C" {
#endif

/// Returns the value of an environment variable, or null. The value is valid until the variable is
/// changed, so copy it immediately.
const char *registry_environment(const char *name);

#ifdef __cplusplus
}
#endif

#endif
