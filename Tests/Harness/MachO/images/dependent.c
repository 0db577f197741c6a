// An image with a record, and with a dependency that has records too.

#include "by_hand.h"
#include "registry_export.h"

REGISTRY_EXPORT_MODULE(Dependent.Module, after(Few.First))

int few_value(void);

EXPORTED int dependent_value(void) { return few_value() + 1; }
