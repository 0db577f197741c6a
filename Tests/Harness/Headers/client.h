// The code of a client of registry_export.h, in the common subset of C, C++, and Objective-C.

#include "registry_export.h"
#include "registry_images.h"
#include "registry_json.h"
#include "registry_process.h"
#include "registry_signals.h"
#include "registry_sort.h"
#include "registry_sync.h"
#include "registry_table.h"
#include "registry_types.h"

REGISTRY_EXPORT_MODULE(Shop.LegacyModule)
REGISTRY_EXPORT_MODULE(Shop.First) REGISTRY_EXPORT_MODULE(Shop.Second)
REGISTRY_EXPORT_MODULE(Shop.CartModule, level(basic), priority(-10), after(Account.AccountModule, Läden.Modul))
REGISTRY_EXPORT_SERVICE(ShopAPI.Clock, Legacy.SystemClock)
REGISTRY_EXPORT_SERVICE(ShopAPI.Clock, Legacy.FakeClock, scope(shared), named(fake), priority(5))
