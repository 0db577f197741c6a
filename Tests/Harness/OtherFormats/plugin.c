// A library for program.c. Its contribution has an accessor, which the loader relocates.

#include "registry_export.h"

typedef int (*function)(void);
static int answer(void) { return 42; }
REGISTRY_EXPORT_MODULE(PlugIn.Module, priority(-5))
REGISTRY_CONTRIBUTE(answers, function, answer)
