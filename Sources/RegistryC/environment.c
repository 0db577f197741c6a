// Environment variables.

#include "registry_environment.h"

#include <stdlib.h>

const char *registry_environment(const char *name) { return getenv(name); }
