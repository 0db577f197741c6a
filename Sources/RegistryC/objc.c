#include "registry_objc_runtime.h"

// This file's test defines REGISTRY_OBJC_GNU to run the code with the GNU runtime, which has the
// functions used here but no objc_msgSend. Messages use class_getMethodImplementation instead.
#if defined(__APPLE__) || defined(REGISTRY_OBJC_GNU)

#include <objc/runtime.h>

/// Returns the code of a method, or null if the class lacks it. The runtime itself would return a
/// function that forwards the message.
static IMP method(Class class_, SEL selector) {
  return class_respondsToSelector(class_, selector) ? class_getMethodImplementation(class_, selector) : 0;
}

// `objc_lookUpClass` accepts any name, and calls no handler if the name is unknown.
const void *registry_objc_class(const char *name) { return (const void *)objc_lookUpClass(name); }

const void *registry_objc_protocol(const char *name) { return (const void *)objc_getProtocol(name); }

bool registry_objc_class_conforms(const void *class_, const void *protocol) {
  // The runtime's function doesn't check superclasses.
  for (Class one = (Class)class_; one; one = class_getSuperclass(one))
    if (class_conformsToProtocol(one, (Protocol *)protocol)) return true;
  return false;
}

bool registry_objc_class_responds(const void *class_, const char *selector) {
  return class_respondsToSelector((Class)class_, sel_registerName(selector));
}

void *registry_objc_new(const void *class_) {
  typedef id (*function)(id, SEL);
  SEL alloc = sel_registerName("alloc"), init = sel_registerName("init");
  // A class is also an instance of its metaclass.
  IMP code = method(object_getClass((id)class_), alloc);
  if (!code) return 0;
  id object = ((function)code)((id)class_, alloc);
  if (!object) return 0;
  // Use the object's class, because alloc can return an object of another class. An initializer
  // consumes the object, and can return another object or null.
  code = method(object_getClass(object), init);
  // An object without `init` has a custom root class, so it cannot be released either.
  return code ? (void *)((function)code)(object, init) : 0;
}

bool registry_objc_send(void *object, const char *selector, void *argument) {
  typedef void (*function)(id, SEL, id);
  SEL sent = sel_registerName(selector);
  IMP code = method(object_getClass((id)object), sent);
  if (!code) return false;
  ((function)(void (*)(void))code)((id)object, sent, (id)argument);
  return true;
}

#endif
