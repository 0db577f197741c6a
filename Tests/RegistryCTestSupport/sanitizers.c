// LeakSanitizer queries a program for the leaks to ignore. The leaks here are in other code: XCTest
// keeps the suites that it ran, and Foundation's Process the side table of a weak reference.

#include "registry_c_test_support.h"

const char *__lsan_default_suppressions(void) {
  return "leak:libXCTest.so\n"
         "leak:Foundation7ProcessC3run\n";
}

bool registry_test_is_sanitized(void) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
  return true;
#endif
#endif
  return registry_test_has_thread_sanitizer();
}

bool registry_test_has_thread_sanitizer(void) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  return true;
#endif
#endif
  return false;
}
