// Mach-O images in the tests' dyld.

#include "dyld.h"
#include "platform.h"

static void *open_image(const char *path) { return dyld_open(path); }

static bool close_image(void *image) { return dyld_close(image); }

static void *symbol(void *image, const char *name) { return dyld_symbol(image, name); }

static uintptr_t base(void *image) { return (uintptr_t)dyld_header(image); }

static int run(const char *path) {
  dyld_image *program = dyld_open(path);
  if (!program) return -1;
  char *arguments[] = {(char *)path, NULL};
  int status = dyld_run(program, 1, arguments);
  return dyld_close(program) ? status : -1;
}

const platform mach_o = {
    .name = "Mach-O",
    .suffix = ".dylib",
    .is_mach_o = true,
    .open = open_image,
    .close = close_image,
    .symbol = symbol,
    .problem = dyld_problem,
    .base = base,
    .run = run,
};
