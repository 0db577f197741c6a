// The resolution of symbols. Two-level lookup names the library, and flat lookup searches all
// images.

#include "image.h"

#include <mach-o/loader.h>
#include <stdarg.h>
#include <stdio.h>

static _Thread_local char problem[1024];

bool dyld_fail(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(problem, sizeof problem, format, arguments);
  va_end(arguments);
  return false;
}

const char *dyld_problem(void) { return problem; }

void *dyld_flat_symbol(const char *symbol) {
  for (const dyld_image *image = dyld_images; image; image = image->next) {
    void *address = image_export(image, symbol);
    if (address) return address;
  }
  return host_symbol(symbol);
}

/// The maximum depth of re-exports, which ends the search in cycles of libraries.
enum { DEEPEST_REEXPORT = 8 };

static void *symbol_of(const dependency *library, const char *symbol, int depth) {
  if (library->is_host) return host_symbol(symbol);
  if (!library->image) return NULL;
  void *address = image_export(library->image, symbol);
  for (size_t index = 0; !address && depth < DEEPEST_REEXPORT && index < library->image->dependency_count; ++index) {
    const dependency *inner = &library->image->dependencies[index];
    if (inner->is_reexported) address = symbol_of(inner, symbol, depth + 1);
  }
  return address;
}

static const dyld_image *program(void) {
  for (const dyld_image *image = dyld_images; image; image = image->next) {
    if (image->file_header->filetype == MH_EXECUTE) return image;
  }
  return NULL;
}

bool image_resolve(const dyld_image *image, int ordinal, const char *symbol, bool is_weak, void **address) {
  const char *where = "any image";
  *address = NULL;
  if (ordinal > 0) {
    if ((size_t)ordinal > image->dependency_count) {
      return dyld_fail("%s: looks %s up in library %d of %zu.", image->path, symbol, ordinal, image->dependency_count);
    }
    const dependency *library = &image->dependencies[ordinal - 1];
    where = library->image ? library->image->path : library->name;
    *address = symbol_of(library, symbol, 0);
  } else if (ordinal == BIND_SPECIAL_DYLIB_SELF) {
    where = "itself";
    *address = image_export(image, symbol);
  } else if (ordinal == BIND_SPECIAL_DYLIB_MAIN_EXECUTABLE) {
    where = "the program";
    *address = program() ? image_export(program(), symbol) : NULL;
  } else {
    *address = dyld_flat_symbol(symbol);
  }
  if (*address || is_weak) return true;
  return dyld_fail("%s: symbol %s is not in %s.", image->path, symbol, where);
}
