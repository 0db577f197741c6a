#include "registry_c_test_support.h"
#include "registry_export.h"

REGISTRY_EXPORT_MODULE(TestCpp.Plain)

namespace feature {
REGISTRY_EXPORT_MODULE(TestCpp.InNamespace, priority(7))
REGISTRY_EXPORT_SERVICE(TestCpp.Clock, TestCpp.SystemClock, scope(shared))
}  // namespace feature

extern "C" {
REGISTRY_EXPORT_MODULE(TestCpp.InExternC)
int registry_test_exported_by_cpp(void) { return 4; }
}
