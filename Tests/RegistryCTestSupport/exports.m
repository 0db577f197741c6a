// The file uses only the syntax of Objective-C, because not every platform has an Objective-C
// runtime to link.

#import "registry_c_test_support.h"
#import "registry_objc.h"

@class NSString;
@protocol TestClock;

REGISTRY_EXPORT_MODULE(TestObjC.Plain)
REGISTRY_EXPORT_SERVICE(TestObjC.Clock, TestObjC.SystemClock)

@ExportModule(TestObjCModule)
@ExportModule(TestObjCBase, level(basic), priority(5), after(TestObjCModule, TestC.Plain));
@ExportService(TestClock, TestObjCClock) @ExportService(TestClock, TestObjCFake, scope(shared), named(big red))

int registry_test_exported_by_objective_c(void) { return 6; }
