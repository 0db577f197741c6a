// The code of a client of registry_objc.h, in the common subset of Objective-C and Objective-C++.

#import "registry_objc.h"
#import "registry_objc_runtime.h"

@ExportModule(LegacyModule)
@ExportModule(First) @ExportModule(Second)
@ExportModule(CartModule, level(basic), priority(-10), after(AccountModule, Shop.PaymentModule))
@ExportService(Clock, SystemClock)
@ExportService(Clock, FakeClock, scope(shared), named(fake), priority(5))
@ExportService(ShopAPI.Clock, LegacyClock)

// Clients write the macro before the class and its implementation.
__attribute__((objc_root_class))
@interface LegacyModule
@end

@implementation LegacyModule
@end

REGISTRY_EXPORT_MODULE(Shop.SwiftModule)
