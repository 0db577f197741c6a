// A member of a static library that no image refers to.

#include "registry_export.h"

REGISTRY_EXPORT_MODULE(Archive.Unused)

int member_unused(void);
int member_unused(void) { return 2; }
