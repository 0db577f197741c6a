// An image with one record.

#include "by_hand.h"
#include "registry_export.h"

REGISTRY_EXPORT_MODULE(Other.Module)

EXPORTED int other_value(void) { return 7; }
