#define _GNU_SOURCE

#include "registry_c_test_support.h"

#include <dlfcn.h>
#include <stddef.h>

static const char anchor;

const void *registry_test_base(void) {
  Dl_info info;
  return dladdr(&anchor, &info) ? info.dli_fbase : NULL;
}

const char *registry_test_path(void) {
  Dl_info info;
  return dladdr(&anchor, &info) ? info.dli_fname : NULL;
}
