// The two object formats: Mach-O images in the tests' dyld, and ELF images in the system's loader.

#define _GNU_SOURCE

#include "test.h"

#include "dyld.h"

#include <dlfcn.h>
#include <link.h>

static void *open_mach_o(const char *path) { return dyld_open(path); }
static bool close_mach_o(void *image) { return dyld_close(image); }
static void *mach_o_symbol(void *image, const char *name) { return dyld_symbol(image, name); }
static uintptr_t mach_o_base(void *image) { return (uintptr_t)dyld_header(image); }

const platform mach_o = {".dylib", true, open_mach_o, close_mach_o, mach_o_symbol, dyld_problem, mach_o_base};

static void *open_elf(const char *path) { return dlopen(path, RTLD_NOW | RTLD_LOCAL); }
static bool close_elf(void *image) { return dlclose(image) == 0; }
static void *elf_symbol(void *image, const char *name) { return dlsym(image, name); }

static const char *elf_problem(void) {
  const char *text = dlerror();
  return text ? text : "no problem";
}

static uintptr_t elf_base(void *image) {
  struct link_map *map = NULL;
  return dlinfo(image, RTLD_DI_LINKMAP, &map) == 0 ? map->l_addr : 0;
}

const platform elf = {".so", false, open_elf, close_elf, elf_symbol, elf_problem, elf_base};
