// Exports modules and services from .m and .mm files, with a leading `@` as in BeeHive.
//
//     #import "registry_objc.h"
//
//     @ExportModule(LegacyModule)
//     @ExportModule(CartModule, level(basic), priority(10),
//                   after(AccountModule, Shop.PaymentModule))
//
//     @ExportService(Clock, SystemClock)
//     @ExportService(Clock, FakeClock, scope(shared), named(fake), priority(-5))
//
//     @implementation LegacyModule
//     - (void)modSetUp:(REGContext *)context { … }
//     @end
//
// Use the macros at file scope, any number of times, even more than once on a line. A semicolon
// after a macro is harmless, except for a warning with `-Wpedantic`. The macros write the same
// records as REGISTRY_EXPORT_MODULE and REGISTRY_EXPORT_SERVICE; registry_export.h describes the
// options and invalid text. The macros run no code before main and load no class before its use.
//
// A name without a module, such as `LegacyModule`, is the Objective-C name of a class or protocol,
// which can be a Swift one marked `@objc(LegacyModule)`. A name with a module, such as
// `Shop.CartModule`, is a Swift name. You can combine both kinds, because a Swift extension can
// make an Objective-C class conform to a Swift protocol. At first use, the library reports a class
// that is missing or of the wrong kind; see Documentation/ObjectiveC.md.

#ifndef REGISTRY_OBJC_H
#define REGISTRY_OBJC_H

// Swift reads all headers of a module, even on systems without Objective-C.
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
#error "'registry_objc.h' requires Objective-C; include 'registry_export.h' and use 'REGISTRY_EXPORT_MODULE(Name)'"
#endif

#include "registry_export.h"

// Both macros begin with a redundant `class` declaration, which the caller's `@` completes.

/// Exports a class as a module. Options can follow its name.
#define ExportModule(...) class NSObject; REGISTRY_EXPORT_MODULE(__VA_ARGS__)

/// Exports a class as an implementation of a service. The arguments are the protocol and the
/// class. Options can follow.
#define ExportService(...) class NSObject; REGISTRY_EXPORT_SERVICE(__VA_ARGS__)

#endif
