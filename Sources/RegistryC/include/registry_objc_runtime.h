// What the library asks of the Objective-C run time, in plain C and without Foundation. On systems without one there is nothing of
// any name.
//
// All may be called on any thread, and none takes null. Classes and protocols are pointers that stay; nobody frees them. What runs
// user code is said; no Objective-C exception is caught there: one that is thrown goes through Swift's frames, which is
// undefined, and as a rule ends the process. So what is called must not throw.

#ifndef REGISTRY_OBJC_RUNTIME_H
#define REGISTRY_OBJC_RUNTIME_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Whether this system has Objective-C.
bool registry_objc_is_there(void);

/// The class of a name in the images that are loaded; null if there is none. Runs no user code.
const void *registry_objc_class(const char *name);

/// The protocol of a name; null if there is none. One that no code refers to and no class adopts is in no image.
const void *registry_objc_protocol(const char *name);

/// Whether a class or one of those it inherits from adopts a protocol, itself or by way of another.
bool registry_objc_class_conforms(const void *class_, const void *protocol);

/// Whether a class is another one or inherits from it.
bool registry_objc_class_is_kind(const void *class_, const void *other);

/// Whether a class' instances have a method. Runs `+resolveInstanceMethod:` if they have none: user code, and before it Apple's run time
/// runs `+initialize`, also of classes that have but `NSObject`'s.
bool registry_objc_class_responds(const void *class_, const char *selector);

/// A new instance, by `alloc` and `init`, which the caller owns; null if one of these gives nothing, or is not there. Runs user code.
void *registry_objc_new(const void *class_);

/// Calls a method that takes an object and returns nothing.
///
/// Runs user code. `argument` may be null.
///
/// - Returns: False, and nothing is called, if the object has no such method.
bool registry_objc_send(void *object, const char *selector, void *argument);

#ifdef __cplusplus
}
#endif

#endif
