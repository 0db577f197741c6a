#include "registry_export.h"

REGISTRY_EXPORT_MODULE(Legacy.LegacyModule)
REGISTRY_EXPORT_SERVICE(ShopAPI.Clock, Legacy.SystemClock)
