// A member of a static library that an image refers to.

#include "registry_export.h"

REGISTRY_EXPORT_MODULE(Archive.Used)

int member_used(void);
int member_used(void) { return 1; }
