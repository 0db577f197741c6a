// Objective-C syntax only: there is no Objective-C runtime to link on every platform.

#import "registry_c_test_support.h"
#import "registry_export.h"

@class NSString;
@protocol TestClock;

REGISTRY_EXPORT_MODULE(TestObjC.Plain)
REGISTRY_EXPORT_SERVICE(TestObjC.Clock, TestObjC.SystemClock)

int registry_test_exported_by_objective_c(void) { return 2; }
