#include "registry_c_test_support.h"
#include "registry_export.h"

REGISTRY_EXPORT_MODULE(TestC.Plain)
REGISTRY_EXPORT_MODULE(TestC.First) REGISTRY_EXPORT_MODULE(TestC.Second)
REGISTRY_EXPORT_MODULE(TestC.Full, level(basic), priority(-12), after(TestC.Plain, TestC.Lä))
REGISTRY_EXPORT_MODULE(TestC.Größe.漢字)
REGISTRY_EXPORT_SERVICE(TestC.Clock, TestC.SystemClock)
REGISTRY_EXPORT_SERVICE(TestC.Clock & Sendable, TestC.FakeClock, named(big red), scope(weak), priority(1000))

#define FEATURE(module) REGISTRY_EXPORT_MODULE(module.Feature) REGISTRY_EXPORT_SERVICE(module.Api, module.Default)
FEATURE(TestC)

int registry_test_exported_by_c(void) { return 9; }
