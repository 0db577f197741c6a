// What LeakSanitizer asks a program for at its end: leaks to be silent about. These are none of ours: XCTest keeps
// the suites it ran, and Foundation's Process a weak reference's side table.

#include "registry_c_test_support.h"

const char *__lsan_default_suppressions(void) {
  return "leak:libXCTest.so\n"
         "leak:Foundation7ProcessC3run\n";
}

bool registry_test_is_sanitized(void) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
  return true;
#endif
#endif
  return false;
}
