#include "registry_export.h"

REGISTRY_EXPORT_SERVICE(CxxTest.Service, CxxTest.Implementation)
REGISTRY_EXPORT_MODULE(CxxTest.Module)
