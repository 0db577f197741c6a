// Records as the export macros write them, and pointers, for the seed corpus.

#include "registry_export.h"

REGISTRY_EXPORT_MODULE(Shop.CartModule)
REGISTRY_EXPORT_MODULE(Shop.AccountModule, level(basic), priority(-7), after(Shop.Store, Shop.Clock))
REGISTRY_EXPORT_SERVICE(ShopAPI.Clock, Legacy.SystemClock)
REGISTRY_EXPORT_SERVICE(ShopAPI.Cart, Shop.Cart, scope(shared), named(größte), priority(5))

extern int elsewhere;
int *pointers[] = {&elsewhere, 0, (int *)&pointers};
