// ELF images in the system's loader.

#define _GNU_SOURCE

#include "platform.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void *open_image(const char *path) { return dlopen(path, RTLD_NOW | RTLD_LOCAL); }

static bool close_image(void *image) { return dlclose(image) == 0; }

static void *symbol(void *image, const char *name) { return dlsym(image, name); }

static const char *problem(void) {
  const char *text = dlerror();
  return text ? text : "no problem";
}

static uintptr_t base(void *image) {
  struct link_map *map = NULL;
  return dlinfo(image, RTLD_DI_LINKMAP, &map) == 0 ? map->l_addr : 0;
}

static int run(const char *path) {
  char *arguments[] = {(char *)path, NULL};
  pid_t process;
  int status;
  if (posix_spawn(&process, path, NULL, NULL, arguments, environ) != 0) return -1;
  while (waitpid(process, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

const platform elf = {
    .name = "ELF",
    .suffix = ".so",
    .is_mach_o = false,
    .open = open_image,
    .close = close_image,
    .symbol = symbol,
    .problem = problem,
    .base = base,
    .run = run,
};
