// Opening and closing images: what is the same on every system with `dlopen`. What is not is in images_*.c.

#include "registry_open.h"

#include <string.h>

#if defined(__ELF__) || defined(__APPLE__)
#include <dlfcn.h>

#if defined(__ELF__)
// A static program may lack them; see images_elf.c.
#pragma weak dlopen
#pragma weak dlclose
#pragma weak dlerror
#define REGISTRY_CAN_OPEN (dlopen && dlclose && dlerror)
#else
#define REGISTRY_CAN_OPEN true
#endif
#endif

static void say(char *problem, size_t size, const char *text) {
  if (size == 0) return;
  size_t length = strlen(text);
  if (length > size - 1) length = size - 1;
  memcpy(problem, text, length);
  problem[length] = 0;
}

void *registry_open(const char *path, char *problem, size_t size) {
#if defined(REGISTRY_CAN_OPEN)
  if (REGISTRY_CAN_OPEN) {
    void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (handle) return handle;
    const char *text = dlerror();
    say(problem, size, text ? text : "the loader does not say why");
    return NULL;
  }
#else
  (void)path;
#endif
  say(problem, size, "this program cannot open images");
  return NULL;
}

bool registry_close(void *handle) {
#if defined(REGISTRY_CAN_OPEN)
  return REGISTRY_CAN_OPEN && dlclose(handle) == 0;
#else
  (void)handle;
  return false;
#endif
}

static uint64_t withdrawals;

uint64_t registry_withdrawals(void) { return __atomic_load_n(&withdrawals, __ATOMIC_ACQUIRE); }

void registry_withdraw(void) { __atomic_add_fetch(&withdrawals, 1, __ATOMIC_RELEASE); }
