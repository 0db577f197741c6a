// The functions that the library needs from the Objective-C runtime, in plain C, without
// Foundation. Systems without the runtime don't have these functions.
//
// You can call the functions on any thread. Arguments must not be null unless documented. Pointers
// to classes and protocols stay valid and need not be freed. The comments say which functions run
// user code. No function catches Objective-C exceptions, and unwinding Swift frames is undefined
// and usually ends the process, so user code must not throw.

#ifndef REGISTRY_OBJC_RUNTIME_H
#define REGISTRY_OBJC_RUNTIME_H

#include "registry_declarations.h"

REGISTRY_BEGIN_

/// Returns the loaded class with the given name, or null. Runs no user code.
const void *registry_objc_class(const char *name);

/// Returns the protocol with the given name, or null. Images lack protocols that no code refers to
/// and no class adopts.
const void *registry_objc_protocol(const char *name);

/// Returns whether a class or one of its superclasses adopts a protocol, directly or indirectly.
bool registry_objc_class_conforms(const void *class_, const void *protocol);

/// Returns whether instances of a class have a method. If they lack it, runs user code:
/// `+resolveInstanceMethod:` and, on Apple systems, `+initialize` before it, even if the class
/// inherits `+resolveInstanceMethod:` from `NSObject`.
bool registry_objc_class_responds(const void *class_, const char *selector);

/// Returns a new instance from `alloc` and `init`. The caller owns it. Null if either method
/// returns null or doesn't exist. Runs user code.
void *registry_objc_new(const void *class_);

/// Calls a method that takes an object and returns nothing. Runs user code. `argument` may be null.
/// Returns false, without a call, if the object lacks the method.
bool registry_objc_send(void *object, const char *selector, void *argument);

REGISTRY_END_

#endif
