#include "registry_export.h"
REGISTRY_EXPORT_MODULE(Feature.BaseModule, level(basic))
REGISTRY_EXPORT_SERVICE(NamesAPI.Clock, Feature.SystemClock)
REGISTRY_EXPORT_SERVICE(NamesAPI.Clock, Feature.FakeClock, scope(shared), named(fake))
