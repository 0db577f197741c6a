// A record, and a library it depends on that has some, too.

#include "by_hand.h"
#include "registry_export.h"

REGISTRY_EXPORT_MODULE(Dependent.Module, after(Few.First))

int few_value(void);

EXPORTED int dependent_value(void) { return few_value() + 1; }
