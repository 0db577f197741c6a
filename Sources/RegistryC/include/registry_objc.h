// Exports Objective-C classes and protocols from .m and .mm files, spelt as BeeHive has it.
//
//     #import "registry_objc.h"
//
//     @ExportModule(LegacyModule)
//     @ExportModule(CartModule, level(basic), priority(10), after(AccountModule, Shop.PaymentModule))
//
//     @ExportService(Clock, SystemClock)
//     @ExportService(Clock, FakeClock, scope(shared), named(fake), priority(-5))
//
//     @implementation LegacyModule
//     - (void)modSetUp:(REGContext *)context { … }
//     @end
//
// At file scope, as many as you like, also several on a line; a semicolon behind one does no harm but what `-Wpedantic` says of it.
// They write the records that REGISTRY_EXPORT_MODULE and REGISTRY_EXPORT_SERVICE write, so registry_export.h says which options there
// are and what does not compile. Nothing runs before main, and no class is touched before it is needed.
//
// A name without a module, `LegacyModule`, is Objective-C's: a class, or a Swift class that is `@objc(LegacyModule)`; a protocol of
// Objective-C's. With a module, `Shop.CartModule`, it is Swift's. Either may serve for the other: an Objective-C class may implement a
// Swift protocol, by a Swift extension. Whether there is such a class, and whether it is what it is exported as, is looked at when
// it is first used, and what is wrong is reported; Documentation/ObjectiveC.md says when and how.

#ifndef REGISTRY_OBJC_H
#define REGISTRY_OBJC_H

// Swift reads all headers of a module, also where it has no Objective-C.
#if !defined(__OBJC__)
#if defined(__building_module)
#if !__building_module(RegistryC)
#define REGISTRY_LACKS_OBJC_
#endif
#else
#define REGISTRY_LACKS_OBJC_
#endif
#endif
#if defined(REGISTRY_LACKS_OBJC_)
#error "registry_objc.h is for Objective-C: in C and C++, include registry_export.h and write REGISTRY_EXPORT_MODULE(Name)."
#endif

#include "registry_export.h"

// Both begin with a declaration that an `@` can stand before and that says nothing new.

/// Exports a class as a module. Options may follow its name.
#define ExportModule(...) class NSObject; REGISTRY_EXPORT_MODULE(__VA_ARGS__)

/// Exports a class as the implementation of a service: the protocol, the class. Options may follow.
#define ExportService(...) class NSObject; REGISTRY_EXPORT_SERVICE(__VA_ARGS__)

#endif
